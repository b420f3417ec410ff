// Puts variants into the store's cart, so that the theme's cart count and drawer follow.
import { fields, idOf, list, text, type Fields } from "../shared/checked.ts";
import type { CartLine } from "../shared/shopify.ts";

/** The store did not take what was to go into the cart. */
export class CartRefusal extends Error {
  /** the variants that the store names */
  readonly refused: readonly string[];

  /** @param reason the store's, for the shopper */
  constructor(reason: string, refused: readonly string[] = []) {
    super(reason);
    this.refused = refused;
  }
}

/** Returns the cart's path in the language and market of the page. */
export function cartPath(root: HTMLElement): string {
  return root.dataset["cart"] ?? "";
}

/** A variant that goes into the cart. */
export interface Line {
  variantId: string;
  quantity: number;
  /** of the line item */
  properties?: Fields | undefined;
}

/** The last change of the cart: concurrent changes would overwrite each other. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Adds variants, all of them or none.
 * @param from the element that the shopper pressed
 * @returns the cart's token
 * @throws CartRefusal
 */
export function addToCart(root: HTMLElement, from: Element, lines: readonly Line[]): Promise<string> {
  const add = window.Shopify?.actions?.updateCart ? addByAction : addByAjax;
  const added = last.then(() => add(lines, from, cartPath(root)));
  last = added.catch(() => undefined);
  return added;
}

function linesOf(lines: readonly Line[]): CartLine[] {
  return lines.map(({ variantId, quantity, properties }) => ({
    merchandiseId: gid("ProductVariant", variantId),
    quantity,
    ...(properties && { attributes: Object.entries(properties).map(([key, value]) => ({ key, value: text(value) })) }),
  }));
}

function gid(type: string, id: string): string {
  return `gid://shopify/${type}/${id}`;
}

/** Shopify's standard storefront action: the theme decides how to show the change, and Shopify sends the events. */
async function addByAction(lines: readonly Line[]): Promise<string> {
  const {
    cart,
    userErrors = [],
    warnings = [],
  } = (await window.Shopify?.actions?.updateCart?.({ lines: linesOf(lines) })) ?? {};
  const soldOut = warnings.find(({ code }) => lines.length === 1 && code === "MERCHANDISE_OUT_OF_STOCK");
  const [error = soldOut] = userErrors;
  if (error) {
    const refused = userErrors.flatMap(
      ({ field = [] }) => lines[Number(field[field.indexOf("lines") + 1])]?.variantId ?? [],
    );
    throw new CartRefusal(error.message, refused);
  }
  return idOf(cart?.id);
}

/** The Ajax cart, for pages without the action. It tells the theme by Shopify's standard event. */
async function addByAjax(lines: readonly Line[], from: Element, path: string): Promise<string> {
  const theme = themeCart();
  const posted = post(path, theme, lines);
  const changed = posted.then(async ({ refused }) => {
    const cart: unknown = await (await fetch(`${path}.js`)).json();
    return { cart: fields(cart), refused };
  });
  announceLines(from, lines, changed);
  const { added, refused } = await posted;
  if (refused) throw new CartRefusal(refused);
  showCart(theme, from, added);
  const { cart } = await changed;
  return idOf(cart["token"]);
}

interface Posted {
  added: Fields;
  /** the store's reason, or "" */
  refused: string;
}

async function post(path: string, { sections }: ThemeCart, lines: readonly Line[]): Promise<Posted> {
  const items = lines.map(({ variantId, quantity, properties }) => ({ id: Number(variantId), quantity, properties }));
  const response = await fetch(`${path}/add.js`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ items, ...(sections.length > 0 && { sections, sections_url: path }) }),
  });
  const json: unknown = await response.json().catch(() => undefined);
  const added = fields(json);
  if (response.ok) return { added, refused: "" };
  const refused = text(added["description"]);
  if (response.status < 500 && refused) return { added, refused };
  throw new Error();
}

/** Sends what Shopify documents for a change of the cart's lines: the event first, its outcome in `promise`. */
function announceLines(
  from: Element,
  lines: readonly Line[],
  changed: Promise<{ cart: Fields; refused: string }>,
): void {
  const promise = changed.then(({ cart, refused }) => ({
    cart: standardCart(cart),
    userErrors: refused ? [{ message: refused }] : [],
    warnings: [],
    detail: { itemCount: cart["item_count"] },
  }));
  const update = { action: "add", context: "product", lines: linesOf(lines), promise };
  from.dispatchEvent(Object.assign(new Event("shopify:cart:lines-update", { bubbles: true }), update));
  promise.then(
    () => {
      // Themes that are older than the standard event listen for one of these.
      for (const name of ["cart:refresh", "cart:build"]) {
        document.documentElement.dispatchEvent(new CustomEvent(name, { bubbles: true }));
      }
    },
    (error: unknown) => {
      const failure = { error: error instanceof Error ? error.message : "", code: "SERVICE_UNAVAILABLE" };
      from.dispatchEvent(Object.assign(new Event("shopify:cart:error", { bubbles: true }), failure));
    },
  );
}

/** The Ajax cart in the shape of the Storefront API, as standard events carry it. */
function standardCart({ token, item_count, total_price, currency, items }: Fields) {
  const cost = (cents: unknown) => ({
    totalAmount: { amount: (Number(cents ?? 0) / 100).toFixed(2), currencyCode: currency },
  });
  return {
    id: gid("Cart", text(token)),
    totalQuantity: item_count,
    cost: cost(total_price),
    lines: list(items)
      .map(fields)
      .map(({ key, quantity, final_line_price }) => ({
        id: gid("CartLine", text(key)),
        quantity,
        cost: cost(final_line_price),
      })),
    discountCodes: [],
  };
}

/** The cart of Dawn and of themes made from it, which renders sections that come with the response. */
interface CartElement extends HTMLElement {
  getSectionsToRender?: () => { id: string }[];
  setActiveElement?: (element: Element) => void;
  renderContents: (added: Fields) => void;
}

interface ThemeCart {
  element: CartElement | undefined;
  /** ids of the sections that show the cart */
  sections: string[];
}

function themeCart(): ThemeCart {
  const element = document.querySelector<CartElement>("cart-notification, cart-drawer");
  const sections = element?.getSectionsToRender?.().map(({ id }) => id);
  if (element && sections) return { element, sections };
  return { element: undefined, sections: document.getElementById("cart-icon-bubble") ? ["cart-icon-bubble"] : [] };
}

function showCart({ element, sections }: ThemeCart, from: Element, added: Fields): void {
  if (!added["sections"] || sections.length === 0) return;
  // A failure of the theme is not the shopper's: the product is in the cart.
  try {
    if (element) {
      element.setActiveElement?.(from);
      element.renderContents({ ...fields(list(added["items"]).at(-1)), ...added });
      element.classList.remove("is-empty");
    } else {
      const section = text(fields(added["sections"])["cart-icon-bubble"]);
      const html = new DOMParser().parseFromString(section, "text/html");
      const bubble = html.querySelector(".shopify-section") ?? html.body;
      document.getElementById("cart-icon-bubble")?.replaceChildren(...bubble.childNodes);
    }
  } catch (error) {
    reportError(error);
  }
}
