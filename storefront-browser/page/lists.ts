// Changes lists, what the shopper notes about an item, and alerts, as the page's forms do without a script.
import { text, type Fields } from "../shared/checked.ts";
import { create } from "../shared/create.ts";
import { read } from "../shared/saved-list.ts";
import { askForAlert, saveAlerts } from "./alerts.ts";
import { cardOf, find, listOf, rootOf } from "./dom.ts";
import { detailsOf, itemOf, updateDetails } from "./items.ts";
import { load } from "./loading.ts";
import { buttonFor, fail, say } from "./messages.ts";
import { keep, lookUp, mark } from "./owned-list.ts";
import { call, Refusal } from "./requests.ts";
import { pushView, viewOf } from "./view.ts";

/** Applies a form of the page. @param submitter the button that was pressed */
export async function apply(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const root = rootOf(form);
  if (form.ariaBusy || "loading" in root.dataset) return;
  form.ariaBusy = "true";
  const fieldsOf = new FormData(form, submitter);
  const value = (name: string): string => text(fieldsOf.get(name));
  try {
    switch (form.dataset["wishlistForm"]) {
      case "alerts":
        await saveAlerts(root, form);
        break;
      case "ask":
        await askForAlert(root, form, value("withdraw") === "1");
        break;
      case "list-create":
        await createList(root, value("name"));
        break;
      case "list-update":
        await renameList(root, value("name"));
        break;
      case "list-delete":
        await deleteList(root);
        break;
      case "move":
        await move(root, cardOf(form), { to: value("to"), copy: value("copy") === "1" });
        break;
      default:
        await updateItem(root, cardOf(form), { quantity: Number(value("quantity")), note: value("note").trim() });
    }
  } catch (error) {
    await refuse(root, form, error);
  }
  form.ariaBusy = null;
}

/** Says why the service refused a form. What is gone is taken from the page. */
async function refuse(root: HTMLElement, form: HTMLFormElement, error: unknown): Promise<void> {
  const { sayNameTaken = "", sayNameInvalid = "", sayTooManyLists = "", sayListsOff = "" } = root.dataset;
  const { sayDetailsInvalid = "", sayItemGone = "", sayAlertsOff = "" } = root.dataset;
  const code = error instanceof Refusal ? error.code : "";
  const reasons = new Map([
    ["list_name_taken", sayNameTaken],
    ["list_limit_reached", sayTooManyLists],
    ["plan_required", sayListsOff],
    ["invalid_request", form.querySelector("[name=name]") ? sayNameInvalid : sayDetailsInvalid],
    ["item_not_found", sayItemGone],
    ["alerts_unavailable", sayAlertsOff],
  ]);
  const reason = reasons.get(code);
  if (code !== "item_not_found" && code !== "list_not_found") {
    if (reason) say(root, reason);
    else fail(root, error);
    return;
  }
  // The page of a list that no longer exists says so itself.
  const next = await load(root).catch(() => root);
  if (reason) say(next, reason);
}

/**
 * Shows a list after a change of the lists.
 * @param list the list to show; undefined for the default list
 * @param productIds products whose hearts the change concerns
 */
export async function showChange(
  root: HTMLElement,
  response: Fields,
  list: string | undefined,
  productIds: readonly string[] = [],
): Promise<HTMLElement> {
  keep(root, response, mark);
  if (productIds.length > 0) await lookUp(root, productIds).catch(() => undefined);
  const before = viewOf(root);
  const next = await load(
    root,
    list === before.list ? before : { list, page: 1, sort: undefined, available: false, q: undefined },
  );
  pushView(viewOf(next));
  return next;
}

async function createList(root: HTMLElement, name: string): Promise<void> {
  const response = await call(root, "createList", { name });
  const next = await showChange(root, response, text(response["listId"]));
  say(next, root.dataset["sayListCreated"] ?? "");
}

async function renameList(root: HTMLElement, name: string): Promise<void> {
  const response = await call(root, "updateList", { listId: listOf(root), name });
  say(await showChange(root, response, listOf(root)), root.dataset["sayListRenamed"] ?? "");
}

function nameOfList(root: HTMLElement): string {
  return find(root, "[aria-current] .wl-choice-name").textContent;
}

async function deleteList(root: HTMLElement): Promise<void> {
  const listId = listOf(root);
  const name = nameOfList(root);
  const products = Object.keys(read().saved);
  const response = await call(root, "deleteList", { listId });
  const next = await showChange(root, response, undefined, products);
  const { sayListDeleted = "", sayUndo = "" } = root.dataset;
  const undo = undoButton(sayUndo, (shown) =>
    restoreList(shown, { listId, version: Number(response["version"]) - 1 }, products),
  );
  say(
    next,
    sayListDeleted.replace("[name]", () => name),
    undo,
  );
}

async function restoreList(root: HTMLElement, list: Fields, products: readonly string[]): Promise<void> {
  const response = await call(root, "restoreList", list);
  const next = await showChange(root, response, text(list["listId"]), products);
  say(next, root.dataset["sayListRestored"] ?? "");
}

/** Returns a button that takes a change back, once. */
export function undoButton(label: string, act: (root: HTMLElement) => Promise<void>): HTMLElement {
  const takeBack = async (): Promise<void> => {
    const root = rootOf(button);
    if (button.ariaDisabled) return;
    button.ariaDisabled = "true";
    try {
      await act(root);
    } catch (error) {
      button.ariaDisabled = null;
      fail(root, error);
    }
  };
  const button = buttonFor(label, () => void takeBack());
  return button;
}

/**
 * Takes a move back.
 * @param to the list that has the items now
 * @param between completes the change before it is shown
 */
export async function moveBack(
  root: HTMLElement,
  { listId, to, copy = false, items }: { listId: string | undefined; to: string; copy?: boolean; items: Fields[] },
  productIds: readonly string[],
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const back = await call(root, "moveListItems", { listId: to, to: listId ?? "default", copy, items });
  await between();
  const next = await showChange(root, back, listId, productIds);
  say(
    next,
    (root.dataset["sayMovedTo"] ?? "").replace("[name]", () => nameOfList(next)),
  );
}

async function move(root: HTMLElement, card: HTMLElement, { to, copy }: { to: string; copy: boolean }): Promise<void> {
  const [item, details] = [itemOf(card), detailsOf(card)];
  const option = find(card, `[name=to] option[value="${CSS.escape(to)}"]`);
  const listId = listOf(root);
  const response = await call(root, "moveListItems", { listId, to, copy, items: [item] });
  const next = await showChange(root, response, listId, [item.productId]);
  const { sayMovedTo = "", sayCopiedTo = "", sayUndo = "" } = root.dataset;
  const takeBack = async (shown: HTMLElement): Promise<void> => {
    // The target had the item already, and keeps it.
    const isShared = response["addedCount"] === 0;
    await moveBack(shown, { listId, to, copy: isShared, items: [item] }, [item.productId], async () => {
      if (isShared) await updateDetails(shown, { listId, ...item }, details);
    });
  };
  say(
    next,
    (copy ? sayCopiedTo : sayMovedTo).replace("[name]", () => option.textContent.trim()),
    copy ? undefined : undoButton(sayUndo, takeBack),
  );
}

async function updateItem(
  root: HTMLElement,
  card: HTMLElement,
  details: { quantity: number; note: string },
): Promise<void> {
  const { quantity, note } = details;
  const { updated } = await updateDetails(root, { listId: listOf(root), ...itemOf(card) }, details);
  if (updated) keep(root, { owner: root.dataset["owner"], itemCount: root.dataset["count"] }, mark);
  const { sayQuantity = "", sayDetailsSaved = "" } = root.dataset;
  card.dataset["quantity"] = String(quantity);
  card.dataset["note"] = note;
  const many = create("p", { className: "wl-quantity", textContent: sayQuantity.replace("[n]", String(quantity)) });
  const words = create("p", { className: "wl-note", dir: "auto", textContent: note });
  find(card, "[data-wishlist-details]").replaceChildren(...(quantity > 1 ? [many] : []), ...(note ? [words] : []));
  const field = card.querySelector<HTMLInputElement>("[data-wishlist-cart] [name=quantity]");
  if (field) field.value = String(quantity);
  find(card, "[data-wishlist-menu]").removeAttribute("open");
  find(card, "[data-wishlist-menu] summary").focus();
  say(root, sayDetailsSaved);
}
