// Lets the shopper choose the lists of a saved product, in a dialog that is loaded when it is first opened.
import { fields, list, text, type Fields } from "../../shared/checked.ts";
import { create } from "../../shared/create.ts";
import type { Result } from "../../shared/proxy.ts";
import { variantsOf, type Target } from "../../shared/saved-list.ts";
import { every, HEART } from "../dom.ts";
import style from "./lists.css?inline";

const { change, send, setup, wishlist } = wishlistCore;

/** The parts of the dialog. A shadow root keeps the theme's rules away. */
interface Picker {
  host: HTMLElement;
  dialog: HTMLDialogElement;
  choices: HTMLElement;
  naming: HTMLFormElement;
  name: HTMLInputElement;
  status: HTMLElement;
}

let picker: Picker | undefined;
/** The product that the dialog is about. */
let target: Target;
let productId: string;
/** The last change: the next one waits for it. */
let before: Promise<unknown> = Promise.resolve();

function build(): Picker {
  const host = create("div", { className: "whl-lists" });
  const title = create("h2", { id: "title", textContent: setup("chooseTitle") });
  const choices = create("ul", {});
  const name = create("input", { required: true, dir: "auto", autocomplete: "off" });
  const label = create("label", { textContent: setup("newList") });
  label.append(name);
  const naming = create("form", { hidden: true });
  naming.append(label, create("button", { textContent: setup("create") }));
  const status = create("p", { role: "status" });
  const done = create("button", { type: "button", className: "done", textContent: setup("done") });
  const dialog = create("dialog", {});
  dialog.setAttribute("aria-labelledby", "title");
  dialog.append(title, choices, naming, status, done);
  host.attachShadow({ mode: "open" }).append(create("style", { textContent: style }), dialog);
  done.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", ({ target: pressed }) => {
    // The area around the dialog is its backdrop, which belongs to it.
    if (pressed === dialog) dialog.close();
  });
  naming.addEventListener("submit", (event) => {
    event.preventDefault();
    void createList(name.value);
  });
  document.body.append(host);
  return { host, dialog, choices, naming, name, status };
}

/** Opens the dialog for the product that the shopper wants to put into lists. */
export default function open(choice: Target): void {
  const { saved } = wishlist();
  const { id, handle, variant, choice: first = "" } = choice;
  const [known = ""] = Object.entries(saved).find(([product, { h }]) => product === id || h === handle) ?? [];
  productId = id || known;
  // By its handle, if there is one: hearts on cards know no more. Every list gets the variant that is saved already.
  target = { id: handle ? "" : id, handle, variant, choice: variantsOf(choice, saved)[0] ?? first };
  const opener = document.activeElement;
  picker ??= build();
  const { dialog, choices, naming, status } = picker;
  choices.replaceChildren();
  status.replaceChildren();
  naming.hidden = true;
  dialog.addEventListener("close", () => restoreFocus(opener), { once: true });
  dialog.showModal();
  void fill();
}

/** The message whose button opened the dialog may be gone: then the product's heart gets the focus. */
function restoreFocus(opener: Element | null): void {
  const heart = every(HEART).find(
    ({ dataset }) => dataset["productId"] === productId || dataset["productHandle"] === target.handle,
  );
  const place = opener?.isConnected && opener !== document.body ? opener : heart;
  if (place instanceof HTMLElement) place.focus();
}

/** Shows the lists, and which of them have the product. */
async function fill(): Promise<void> {
  const { variant } = target;
  const result = await ask("lists", { productId, ...(variant && { variantId: variant }) });
  if (!result.data || !picker) return;
  const { choices, naming, dialog } = picker;
  const isAtStart = !choices.firstChild;
  choices.replaceChildren(...list(result.data["lists"]).map((one) => choiceOf(fields(one))));
  naming.hidden = !result.data["canCreate"];
  if (isAtStart) dialog.querySelector("input")?.focus();
}

/** Posts to the service, and says why it refuses. */
async function ask(path: string, body: Fields): Promise<Result> {
  const result = await send(path, body, (next, { itemCount, listId: created }) => {
    // Other tabs show the new list, too.
    if (created) next.rev = String(Date.now());
    return Number(itemCount);
  });
  showResult(result);
  return result;
}

function say(message: string): void {
  picker?.status.replaceChildren(message);
}

/** Says why a request was refused. */
function showResult({ data, error, status = 0 }: Result): void {
  const reasons: Record<string, string> = {
    list_name_taken: setup("nameTaken"),
    list_limit_reached: setup("tooManyLists"),
    invalid_request: setup("nameInvalid"),
    wishlist_full: setup("on-409"),
    product_not_found: setup("on-404"),
    rate_limited: setup("on-429").replace("[seconds]", text(error["retryAfter"])),
  };
  const failed = navigator.onLine ? "failed" : "offline";
  say(data ? "" : (reasons[text(error["code"])] ?? setup(status === 403 ? "on-403" : failed)));
}

function nameOf({ name }: Fields): string {
  return text(name) || setup("defaultList");
}

function choiceOf(one: Fields): HTMLElement {
  const box = create("input", { type: "checkbox", checked: !!one["contains"] });
  const label = create("label", {});
  label.append(box, create("span", { textContent: nameOf(one), dir: "auto" }));
  box.addEventListener("change", () => {
    const wanted = box.checked;
    before = before.then(() => put(box, wanted, text(one["listId"])));
  });
  const row = create("li", {});
  row.append(label);
  return row;
}

/** Puts the product into a list, or takes it out. */
async function put(box: HTMLInputElement, wanted: boolean, listId: string): Promise<void> {
  const result = await change(wanted ? "add" : "remove", target, listId);
  if (!result.data && box.checked === wanted) box.checked = !wanted;
  showResult(result);
}

/** Creates a list with the product. */
async function createList(name: string): Promise<void> {
  if (!picker || picker.naming.ariaBusy) return;
  const { naming, name: field } = picker;
  naming.ariaBusy = "true";
  const { data } = await ask("createList", { name });
  if (data) {
    const result = await change("add", target, text(data["listId"]));
    await fill();
    field.value = "";
    showResult(result);
    if (result.data) say(setup("created").replace("[name]", () => nameOf(data)));
  }
  naming.ariaBusy = null;
}
