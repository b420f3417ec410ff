import { requestOf, showWrong, wrongField } from "../shared/alert-request.ts";
import { text, type Fields } from "../shared/checked.ts";
import { create } from "../shared/create.ts";
import { TIMEOUT } from "../shared/proxy.ts";
import { cardOf, find, listOf } from "./dom.ts";
import { say } from "./messages.ts";
import { lookUp } from "./owned-list.ts";
import { call, Refusal } from "./requests.ts";

/**
 * Sends the choice of alerts as its form does without a script, and says what the page that responds would say.
 * @throws Refusal
 */
export async function saveAlerts(root: HTMLElement, form: HTMLFormElement): Promise<void> {
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, text(value)]));
  const response = await fetch(form.action, { method: "POST", body, signal: AbortSignal.timeout(TIMEOUT) }).catch(
    () => undefined,
  );
  const page = new DOMParser().parseFromString((await response?.text()) ?? "", "text/html");
  const said = page.querySelector(".wl-outcome p")?.textContent;
  if (!said) throw new Refusal({ error: {} });
  const control = find(root, "summary:has(+ [data-wishlist-form=alerts])");
  control.classList.toggle("wl-on", form.querySelector(":checked") !== null);
  control.parentElement?.removeAttribute("open");
  control.focus();
  say(root, said);
}

/** Makes the forms of a card ask about the variant that it shows now. */
export function showVariant(card: HTMLElement, isSoldOut: boolean): void {
  const kind = isSoldOut ? "back_in_stock" : "price_dropped";
  for (const box of card.querySelectorAll<HTMLElement>("[data-wishlist-ask]")) {
    box.hidden = box.dataset["wishlistAsk"]?.includes(kind) !== true;
    for (const part of box.querySelectorAll<HTMLElement>("[data-kind]")) part.hidden = part.dataset["kind"] !== kind;
    for (const field of box.querySelectorAll<HTMLInputElement>("[name=kind]")) field.value = kind;
    for (const field of box.querySelectorAll<HTMLInputElement>("[name=target_price]")) {
      field.disabled = isSoldOut;
      field.value = "";
    }
  }
  // They are about the variant that was saved before.
  card.querySelector("[data-wishlist-asked]")?.replaceChildren();
  card.querySelector("[name=withdraw]")?.setAttribute("hidden", "");
}

/** Says below a guest's form that an email was sent. */
function showSent(root: HTMLElement, form: HTMLFormElement): void {
  const card = cardOf(form);
  const box = find(card, ".wl-ask");
  const sent = create("p", { className: "wl-sent", tabIndex: -1, textContent: root.dataset["sayAskConfirm"] ?? "" });
  card.querySelector(".wl-sent")?.remove();
  box.removeAttribute("open");
  box.after(sent);
  sent.focus();
}

/** Shows on the card what the customer waits for, if so, and in its form the way out. */
function showState(root: HTMLElement, form: HTMLFormElement, waitsFor: string, outcome: string): void {
  const card = cardOf(form);
  find(card, "[data-wishlist-asked]").textContent = waitsFor;
  find(form, "[name=withdraw]").hidden = waitsFor === "";
  const menu = find(card, "[data-wishlist-menu]");
  menu.removeAttribute("open");
  find(menu, "summary").focus();
  say(root, outcome);
}

async function showActive(root: HTMLElement, form: HTMLFormElement, { kind, targetPrice }: Fields): Promise<void> {
  const { sayAskActive = "", sayAskedAt = "", sayAskedBack = "", sayAskedDrop = "" } = root.dataset;
  const price = text(targetPrice);
  const ofKind = kind === "back_in_stock" ? sayAskedBack : sayAskedDrop;
  showState(root, form, price ? sayAskedAt.replace("[price]", price) : ofKind, sayAskActive);
  // The item is in the default list now, too.
  const { productId } = cardOf(form).dataset;
  if (listOf(root) !== undefined && productId) await lookUp(root, [productId]).catch(() => undefined);
}

/** Asks for an alert about an item as its form says, or withdraws it. @throws Refusal unless a field is the reason */
export async function askForAlert(root: HTMLElement, form: HTMLFormElement, isWithdrawal: boolean): Promise<void> {
  showWrong(form);
  const request = requestOf(form);
  if (isWithdrawal) {
    const { productId, variantId, kind } = request;
    await call(root, "withdrawAlert", { productId, variantId, kind });
    for (const field of form.querySelectorAll<HTMLInputElement>("[name=target_price]")) field.value = "";
    showState(root, form, "", root.dataset["sayAskStopped"] ?? "");
    return;
  }
  try {
    // Whose list it is does not matter: a guest is known by the address alone.
    const { state } = await call(root, "askForAlert", { ...request, guestId: "" });
    if (state === "active") await showActive(root, form, request);
    else showSent(root, form);
  } catch (error) {
    const wrong = error instanceof Refusal && wrongField(form, { details: [{ path: error.path }] });
    if (!wrong) throw error;
    showWrong(form, wrong);
  }
}
