import { z } from "zod";

const cartSchema = z.object({
  token: z.string(),
  item_count: z.number(),
  total_price: z.number(),
  currency: z.string(),
  items: z.array(
    z.object({
      key: z.string(),
      id: z.number(),
      product_id: z.number(),
      quantity: z.number(),
      product_title: z.string(),
      handle: z.string(),
    }),
  ),
});
type AjaxCart = z.infer<typeof cartSchema>;

const errorSchema = z.object({ description: z.string() });

/** A response that refuses a change of the cart. */
export class CartError extends Error {}

function root(): string {
  const language = document.documentElement.lang;
  return language === "en" ? "" : `/${language}`;
}

async function post(path: string, body: unknown): Promise<unknown> {
  const response = await fetch(root() + path, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  });
  const json: unknown = await response.json();
  if (!response.ok)
    throw new CartError(errorSchema.safeParse(json).data?.description ?? "The cart could not be changed");
  return json;
}

async function readCart(): Promise<AjaxCart> {
  const response = await fetch(`${root()}/cart.js`, { headers: { accept: "application/json" } });
  return cartSchema.parse(await response.json());
}

const gid = (type: string, id: number) => `gid://shopify/${type}/${id}`;

/** Returns the cart in the Storefront API's format, which standard events use. */
function standardCart({ token, item_count, total_price, currency, items }: AjaxCart) {
  const amount = (total_price / 100).toFixed(2);
  return {
    id: `gid://shopify/Cart/${token}`,
    totalQuantity: item_count,
    cost: { totalAmount: { amount, currencyCode: currency } },
    lines: items.map((item) => ({
      id: gid("CartLine", item.id),
      quantity: item.quantity,
      merchandise: {
        id: gid("ProductVariant", item.id),
        product: { id: gid("Product", item.product_id), handle: item.handle, title: item.product_title },
      },
    })),
  };
}
export type StandardCart = ReturnType<typeof standardCart>;

export interface LinesUpdate {
  action: "add" | "remove" | "update";
  context: "product" | "cart";
  lines: { id?: string; merchandiseId: string; quantity: number }[];
}

/** Dispatched before the cart changes; `promise` resolves with the result. */
export class CartLinesUpdateEvent extends Event {
  readonly action: LinesUpdate["action"];
  readonly context: LinesUpdate["context"];
  readonly lines: LinesUpdate["lines"];
  readonly promise: Promise<{ cart: StandardCart }>;
  constructor({ action, context, lines }: LinesUpdate, promise: Promise<{ cart: StandardCart }>) {
    super("shopify:cart:lines-update", { bubbles: true });
    this.action = action;
    this.context = context;
    this.lines = lines;
    this.promise = promise;
  }
}

/** Changes the cart and dispatches Shopify's standard event from the element that the shopper used. */
export async function changeCart(from: Element, update: LinesUpdate, path: string, body: unknown): Promise<AjaxCart> {
  const changed = post(path, body).then(readCart);
  const result = changed.then((cart) => ({ cart: standardCart(cart) }));
  // The event may have no listener.
  result.catch(() => undefined);
  from.dispatchEvent(new CartLinesUpdateEvent(update, result));
  const cart = await changed;
  for (const bubble of document.querySelectorAll<HTMLElement>("[data-cart-count]")) {
    bubble.textContent = String(cart.item_count);
    bubble.hidden = cart.item_count === 0;
  }
  return cart;
}

export const variantGid = (id: string | number) => gid("ProductVariant", Number(id));
