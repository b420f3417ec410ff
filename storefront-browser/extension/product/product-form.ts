import { fields, idOf, list, text } from "../../shared/checked.ts";
import { every } from "../dom.ts";

export const FORM = 'form[action*="/cart/add"]';
/** What themes mark while they wait for a response. */
const LOADING = ":is([aria-busy=true],.loading,.is-loading):not([class*=whl-])";
/** The longest wait for a theme, in milliseconds. */
const LONGEST = 5000;
/** The most variants that `/products/{handle}.js` lists. */
const LISTED = 250;

/** The shopper's last choice of an option. Until the theme has put its variant into the form, the form has the former one. */
interface Choice {
  /** the smallest element with the options and a product form */
  scope: Element;
  /** the variants in its forms before the choice */
  before: string;
  /** the chosen variant; "" for none. A promise while only the theme or the store knows it */
  variant?: string | Promise<string> | undefined;
}
let choice: Choice | undefined;
/** Whether what is marked as loading ends to be: themes may use such a class for something else. */
let loads = true;

type Selected = DocumentEventMap["shopify:product:select"]["promise"];

/** Keeps what the shopper chooses, before the theme handles the event. @param promise of Shopify's event, for the chosen variant */
export function choose({ target }: Event, promise?: Selected): void {
  if (!(target instanceof Element) || target.matches("[name=id],header *,footer *,.whl-alert *")) return;
  let scope: Element | null = target;
  while (scope && !scope.querySelector(FORM)) scope = scope.parentElement;
  if (!scope) return;
  const own: Choice = { scope, before: variantsIn(scope).join() };
  choice = own;
  // A theme ends an outdated request with an error.
  own.variant = promise?.then(({ variant }) => (own.variant = idOf(variant?.id))).catch(() => "");
}

/** Waits until it is known which variant a button stands for: the theme may still be loading it. */
export async function awaitChoice(button: HTMLElement): Promise<void> {
  const before = choice;
  button.ariaBusy = "true";
  if (before && isPending(before)) {
    before.variant = await (before.variant ?? variantOfOptions(before.scope, button.dataset["productHandle"]));
  } else if (loads) {
    const around = scopeOf(button);
    loads = await until(() => !around?.querySelector(LOADING) && !around?.closest(LOADING));
  }
  button.ariaBusy = null;
  // Meanwhile the shopper may have chosen again.
  if (before !== choice) await awaitChoice(button);
}

/** Returns the variant of a product page's button: the one that its product form would add to the cart now. "" for a card's heart. */
export function variantOf(button: HTMLElement): string {
  const { variants, variantId = "" } = button.dataset;
  if (!variantId) return "";
  // A button that does not list its product's variants belongs to the page's only product.
  const isOurs = (id: string): boolean => id !== "" && (variants ?? id).split(" ").includes(id);
  const scope = scopeOf(button, isOurs);
  if (scope && choice && isPending(choice) && (choice.scope.contains(scope) || scope.contains(choice.scope))) {
    const { variant } = choice;
    if (typeof variant === "string" && isOurs(variant)) return variant;
  }
  const addressed = new URLSearchParams(location.search).get("variant") ?? "";
  const inForm = scope ? variantsIn(scope).find(isOurs) : undefined;
  return inForm ?? (isOurs(addressed) ? addressed : variantId);
}

/** Returns the smallest element around a button with a product form, for one of the variants. */
function scopeOf(button: Element, isOurs: (id: string) => boolean = Boolean): Element | null {
  let around = button.parentElement;
  while (around && !variantsIn(around).some(isOurs)) around = around.parentElement;
  return around;
}

/** Returns the variants in an element's product forms. */
function variantsIn(scope: Element): string[] {
  return every<HTMLFormElement>(FORM, scope).map(({ elements }) => {
    const field = elements.namedItem("id");
    return field && "value" in field ? idOf(field.value) : "";
  });
}

function isPending({ scope, before }: Choice): boolean {
  return scope.isConnected && variantsIn(scope).join() === before;
}

/** Returns the variant with the option values that are chosen in an element, as the store lists it; "" for none. */
async function variantOfOptions(scope: Element, handle = ""): Promise<string> {
  const chosen = every<HTMLInputElement>("input:checked,select:not([name=id])", scope).map(({ value }) => value);
  const response = await fetch(`${window.Shopify?.routes?.root ?? "/"}products/${handle}.js`).catch(() => undefined);
  const product = fields(await response?.json().catch(() => undefined));
  const options = list(product["options"]).map((option) => list(fields(option)["values"]).map(text));
  // Themes show no field for an option of one value. One without a field, such as a row of buttons, is known by the form alone.
  const wanted = options.map(
    (values) => chosen.find((value) => values.includes(value)) ?? (values[1] ? "" : values[0]),
  );
  const variants = list(product["variants"]).map(fields);
  const found = variants.find((variant) => list(variant["options"]).join("\n") === wanted.join("\n"));
  if (found || (variants.length > 0 && variants.length < LISTED)) return idOf(found?.["id"]);
  const before = variantsIn(scope).join();
  await until(() => variantsIn(scope).join() !== before);
  return "";
}

/** Resolves to true once a condition on the page is true, to false when the theme has taken too long. */
function until(isTrue: () => boolean): Promise<boolean> | true {
  return (
    isTrue() ||
    new Promise((resolve) => {
      const end = (): void => {
        observer.disconnect();
        resolve(isTrue());
      };
      const observer = new MutationObserver(() => isTrue() && end());
      observer.observe(document, { subtree: true, childList: true, attributes: true });
      setTimeout(end, LONGEST);
    })
  );
}
