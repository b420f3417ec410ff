// Asks for an alert about the variant that is chosen on a product page, with or without an account.
import { requestOf, showWrong, wrongField } from "../../shared/alert-request.ts";
import { text } from "../../shared/checked.ts";
import { resultOf } from "../../shared/proxy.ts";
import { afterLayout, ALERT_FORM, copyOf, every, on } from "../dom.ts";

/** What `wishlist-alert-form.liquid` renders. */
interface AlertForm {
  root: HTMLElement;
  /** opens and closes the form; a customer's first press sends it */
  button: HTMLElement;
  /** null while it is closed */
  form: HTMLFormElement | null;
}

let own: HTMLElement | undefined;

function formOf(element: Element): AlertForm | undefined {
  const root = element.closest<HTMLElement>(ALERT_FORM);
  const button = root?.querySelector("button");
  return root && button ? { root, button, form: root.querySelector("form") } : undefined;
}

/** Makes button and form be about the chosen variant. */
function update({ root, button, form }: AlertForm): void {
  const { variantId = "", variants = variantId, available = "", prices = "", kinds = "" } = root.dataset;
  const id = wishlistCore.variantOf?.(root) ?? variantId;
  const index = variants.split(" ").indexOf(id);
  const stock = available.split(" ")[index];
  const isDrop = stock === "true";
  const kind = isDrop ? "price_dropped" : "back_in_stock";
  // The theme editor shows what the merchant has added, whatever the product.
  root.hidden = !window.Shopify?.designMode && (!stock || !kinds.includes(kind));
  const label = root.dataset[isDrop ? "drop" : "back"] ?? "";
  if (button.textContent !== label) button.textContent = label;
  for (const field of form ? every<HTMLInputElement>("input", form) : []) {
    const { name } = field;
    if (name === "variant_id") field.value = id;
    if (name === "kind") field.value = kind;
    if (name !== "target_price") continue;
    field.max = String((Number(prices.split(" ")[index]) - 1) / 100);
    toggle(field, isDrop);
  }
}

/** Shows a field with its label, or takes it out of the form. */
function toggle(field: HTMLInputElement, isShown: boolean): void {
  field.disabled = !isShown;
  const label = field.closest("label");
  if (label) label.hidden = !isShown;
}

/** Updates all forms. Puts the embed's below the product form, unless the page has a block. */
function updateAll(): void {
  const { dress, submitNear } = wishlistCore;
  const submit = every(ALERT_FORM)[0] ? undefined : submitNear?.(document.body);
  if (submit) {
    own ??= copyOf("alert");
    let form: Element = submit.closest("form") ?? submit;
    // In a row there is no room for it.
    while (form.parentElement && isRow(form.parentElement)) form = form.parentElement;
    if (own) form.after(own);
  }
  for (const root of every(ALERT_FORM)) {
    const parts = formOf(root);
    if (!parts) continue;
    update(parts);
    if (!root.dataset["ready"]) dress?.(root);
    root.dataset["ready"] = "1";
  }
}

function isRow(element: Element): boolean {
  const { display, flexDirection } = getComputedStyle(element);
  return /flex|grid/.test(display) && !flexDirection.startsWith("column");
}

function say({ root }: AlertForm, message: string): void {
  root.querySelector("[role=status]")?.replaceChildren(message);
}

function press(parts: AlertForm): void {
  const { root, button } = parts;
  if (root.ariaBusy) return;
  say(parts, "");
  if (parts.form) {
    close(parts);
    return;
  }
  button.after(root.querySelector("template")?.content.cloneNode(true) ?? "");
  const form = root.querySelector("form");
  if (!form) return;
  parts.form = form;
  form.noValidate = true;
  form.hidden = "customer" in root.dataset;
  update(parts);
  if (form.hidden) void send(parts);
  else show(parts);
}

function show({ button, form }: AlertForm): void {
  if (!form) return;
  form.hidden = false;
  button.ariaExpanded = "true";
  every("input", form)
    .find(({ offsetWidth }) => offsetWidth)
    ?.focus();
}

function close({ button, form }: AlertForm): void {
  if (form?.contains(document.activeElement)) button.focus();
  form?.remove();
  button.ariaExpanded = "false";
}

async function send(parts: AlertForm): Promise<void> {
  const { root, form } = parts;
  const { awaitChoice, setup, post, lookUp } = wishlistCore;
  if (!form || root.ariaBusy) return;
  say(parts, "");
  showWrong(form);
  await awaitChoice?.(root);
  update(parts);
  let wrong = wrongField(form);
  if (!wrong) {
    const request = requestOf(form);
    root.ariaBusy = "true";
    const { data, status, error } = await resultOf(await post("askForAlert", request));
    root.ariaBusy = null;
    wrong = data ? null : wrongField(form, error);
    if (!wrong) {
      // A customer's alert is on. The price to wait for can be chosen now.
      if (data && form.hidden && form.querySelector("[name=target_price]:enabled")) show(parts);
      else if (data || form.hidden) close(parts);
      const isActive = data?.["state"] === "active";
      const { active = "", confirm = "", off = "" } = root.dataset;
      const failed = setup(status === 429 ? "on-429" : navigator.onLine ? "failed" : "offline");
      const reason = error["code"] === "alerts_unavailable" ? off : failed;
      say(parts, data ? (isActive ? active : confirm) : reason.replace("[seconds]", text(error["retryAfter"])));
      // The item is in the customer's default list now.
      if (isActive) void lookUp([{ id: text(request["productId"]), handle: "", variant: "" }]);
    }
  }
  if (!wrong) return;
  // The address of a customer who has logged out is not known any more.
  toggle(wrong, true);
  show(parts);
  showWrong(form, wrong);
}

/** Handles an event in a form before the theme does, whose product form may be around it. */
function handle(event: Event): void {
  const { target, type } = event;
  const parts = target instanceof Element && formOf(target);
  if (!parts) return;
  event.stopPropagation();
  if (event instanceof KeyboardEvent) {
    if (event.key === "Escape" && parts.form) close(parts);
  } else if (type === "submit") {
    event.preventDefault();
    void send(parts);
  } else if (type === "click") {
    if (parts.button === target) press(parts);
    else if (target.matches("[type=button]")) close(parts);
  }
}

async function start(): Promise<void> {
  await import(/* @vite-ignore */ wishlistCore.setup("productPart")).catch(() => undefined);
  wishlistCore.onChoice = updateAll;
  for (const name of ["click", "submit", "keydown", "input", "change"] as const) on(name, handle);
  afterLayout(updateAll);
}

if ("wishlistCore" in window) void start();
else document.addEventListener("wishlist:ready", () => void start(), { once: true });
