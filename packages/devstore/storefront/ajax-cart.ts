import { z } from "zod";
import { isAvailable } from "../store/inventory.ts";
import type { Cart } from "../store/carts.ts";
import type { Store } from "../store/store.ts";
import { CART_COOKIE, sessionCookie } from "../foundation/cookies.ts";
import { rootsOf } from "./globals.ts";
import { cartObject } from "./objects.ts";
import { renderSections } from "./page.ts";
import type { StorefrontContext } from "./context.ts";

const id = z.union([z.number(), z.string()]).transform(String);
const quantity = z.coerce.number().int();
const properties = z.record(z.string(), z.string()).nullish();
/** The most lines of a cart. */
const MAX_LINES = 500;

const addSchema = z.union([
  z.object({ items: z.array(z.object({ id, quantity: quantity.default(1), properties })).min(1) }),
  z
    .object({ id, quantity: quantity.default(1), properties })
    .transform((item) => ({ items: [item], single: true as const })),
]);
const changeSchema = z.object({ id: id.optional(), line: z.coerce.number().int().optional(), quantity });
const updateSchema = z.object({
  updates: z.union([z.record(z.string(), quantity), z.array(quantity)]).optional(),
  note: z.string().optional(),
  attributes: z.record(z.string(), z.string()).optional(),
});

/** Shopify renders at most five sections with a response. */
const sectionsSchema = z.object({
  sections: z
    .union([z.string().transform((ids) => ids.split(",")), z.array(z.string())])
    .pipe(z.array(z.string()).max(5)),
});

/** Returns an error in the Ajax API's format. */
function cartError(status: number, description: string): Response {
  return Response.json({ status, message: "Cart Error", description }, { status });
}

/** Parses a JSON body, or a form with `properties[Name]` and `updates[id]`. */
async function readInput(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return request.json().catch(() => undefined);
  const input: Record<string, unknown> = {};
  for (const [name, value] of await request.formData().catch(() => new FormData())) {
    const [, group, key] = /^(\w+)\[(\w*)\]$/.exec(name) ?? [];
    if (typeof value !== "string") continue;
    if (group === undefined || key === undefined) input[name] = value;
    else if (key === "") input[group] = [...(Array.isArray(input[group]) ? (input[group] as unknown[]) : []), value];
    else input[group] = { ...(typeof input[group] === "object" ? input[group] : {}), [key]: value };
  }
  return input;
}

/** Returns the refusal of more items of a variant than the store has; undefined where it may sell them. @param quantity in all lines of the variant */
function stockRefusal(store: Store, variantId: string, quantity: number): Response | undefined {
  const found = store.catalog.published.variant(variantId);
  if (found === undefined) return undefined;
  const { tracked, policy, quantity: stock } = found.variant.inventory;
  if (!tracked || policy === "CONTINUE" || quantity <= stock) return undefined;
  return cartError(422, `You can only add ${stock} ${found.product.title} to the cart.`);
}

function quantityOf({ lines }: Cart, variantId: string): number {
  return lines.filter((line) => line.variantId === variantId).reduce((sum, line) => sum + line.quantity, 0);
}

/** Returns the cart in the Ajax API's format. */
function cartJson(store: Store, context: StorefrontContext) {
  const { cart } = context;
  const shown = cartObject(store, cart, rootsOf(context));
  return {
    token: cart.token,
    note: cart.note,
    attributes: cart.attributes,
    original_total_price: shown.total_price,
    total_price: shown.total_price,
    total_discount: 0,
    total_weight: 0,
    item_count: shown.item_count,
    items: shown.items.map(({ image, ...item }) => ({
      ...item,
      image: image?.src ?? null,
      featured_image: image && { url: image.src, alt: image.alt, width: image.width, height: image.height },
    })),
    requires_shipping: shown.items.length > 0,
    currency: store.shop.currency,
  };
}

function add(store: Store, context: StorefrontContext, input: unknown): Response {
  const parsed = addSchema.safeParse(input);
  if (!parsed.success)
    return cartError(400, "Parameter Missing or Invalid: Required parameter missing or invalid: items");
  const { items } = parsed.data;
  for (const item of items) {
    const found = store.catalog.published.variant(item.id);
    if (found === undefined) return cartError(404, "Cannot find variant");
    if (item.quantity < 1) return cartError(422, "Quantity must be greater than 0");
    const name = `${found.product.title}${found.variant.title === "Default Title" ? "" : ` - ${found.variant.title}`}`;
    if (!isAvailable(found.variant)) return cartError(422, `The product '${name}' is already sold out.`);
  }
  for (const variantId of new Set(items.map((item) => item.id))) {
    const wanted = items.filter((item) => item.id === variantId).reduce((sum, item) => sum + item.quantity, 0);
    const refused = stockRefusal(store, variantId, quantityOf(context.cart, variantId) + wanted);
    if (refused !== undefined) return refused;
  }
  if (context.cart.lines.length + items.length > MAX_LINES)
    return cartError(422, `A cart can have at most ${MAX_LINES} lines.`);
  const added = items.map((item) => store.carts.add(context.cart, item.id, item.quantity, item.properties ?? {}));
  const shown = cartJson(store, context).items;
  const lines = added.flatMap((line) => shown.filter(({ key }) => key === line.key));
  return Response.json("single" in parsed.data ? lines[0] : { items: lines });
}

function change(store: Store, context: StorefrontContext, input: unknown): Response {
  const parsed = changeSchema.safeParse(input);
  if (!parsed.success) return cartError(400, "Required parameter missing or invalid: quantity");
  const line = store.carts.find(context.cart, parsed.data);
  if (line === undefined) return cartError(400, "no valid id or line parameter");
  const { quantity: wanted } = parsed.data;
  const { can_remove: canRemove = true, can_update_quantity: canUpdate = true } = line.more?.instructions ?? {};
  if (wanted <= 0 ? !canRemove : !canUpdate && wanted !== line.quantity) {
    return cartError(422, wanted <= 0 ? "This line can't be removed." : "The quantity of this line can't be changed.");
  }
  const more = wanted - line.quantity;
  const refused =
    more > 0 ? stockRefusal(store, line.variantId, quantityOf(context.cart, line.variantId) + more) : undefined;
  if (refused !== undefined) return refused;
  store.carts.setQuantity(context.cart, line, wanted);
  return Response.json(cartJson(store, context));
}

function update(store: Store, context: StorefrontContext, input: unknown): Response {
  const parsed = updateSchema.safeParse(input);
  if (!parsed.success) return cartError(400, "Required parameter missing or invalid");
  const { updates = {}, note, attributes } = parsed.data;
  const { cart } = context;
  const lines = [...cart.lines];
  for (const [key, wanted] of Object.entries(updates)) {
    const line = Array.isArray(updates) ? lines[Number(key)] : store.carts.find(cart, { id: key });
    if (line !== undefined) store.carts.setQuantity(cart, line, wanted);
    else if (store.catalog.published.variant(key) !== undefined && wanted > 0) store.carts.add(cart, key, wanted, {});
  }
  if (note !== undefined) cart.note = note;
  Object.assign(cart.attributes, attributes);
  return Response.json(cartJson(store, context));
}

const actions: Readonly<Record<string, (store: Store, context: StorefrontContext, input: unknown) => Response>> = {
  add,
  change,
  update,
  clear(store, context) {
    store.carts.clear(context.cart);
    return Response.json(cartJson(store, context));
  },
};

const PERMALINK = /^\/cart\/\d+:\d+(?:,\d+:\d+)*$/;

/** Opens a cart permalink, which replaces the cart and leads to the checkout, or with `storefront=true` to the cart. */
function openPermalink(store: Store, context: StorefrontContext): Response {
  const { cart, url } = context;
  store.carts.clear(cart);
  for (const line of url.pathname.slice("/cart/".length).split(",").reverse()) {
    const [variantId = "", wanted] = line.split(":");
    const found = store.catalog.published.variant(variantId);
    if (found !== undefined && isAvailable(found.variant)) store.carts.add(cart, variantId, Number(wanted), {});
  }
  const to = url.searchParams.get("storefront") === "true" ? "/cart" : "/checkout";
  return new Response(null, { status: 302, headers: { location: rootsOf(context).path + to } });
}

/**
 * Handles permalinks, `/cart.js`, `/cart/add.js` and the like, and the same paths without `.js` for forms, which redirect to the cart.
 * @returns undefined for any other path
 */
export async function ajaxCart(
  store: Store,
  context: StorefrontContext,
  request: Request,
): Promise<Response | undefined> {
  if (request.method === "GET" && PERMALINK.test(context.url.pathname)) {
    return withCart(context, openPermalink(store, context));
  }
  const [, name, script] = /^\/cart(?:\/(\w+))?(\.js|\.json)?$/.exec(context.url.pathname) ?? [];
  if (name === undefined && script !== undefined) return withCart(context, Response.json(cartJson(store, context)));
  if (request.method === "POST" && context.url.pathname === "/cart") {
    // The cart's form has a button for the checkout.
    return withCart(
      context,
      new Response(null, { status: 302, headers: { location: `${rootsOf(context).path}/checkout` } }),
    );
  }
  const action = actions[name ?? ""];
  if (action === undefined || request.method !== "POST") return undefined;
  const input = await readInput(request);
  const response = await withSections(store, context, input, action(store, context, input));
  if (script !== undefined || (request.headers.get("accept") ?? "").includes("json"))
    return withCart(context, response);
  const to = response.ok ? `${rootsOf(context).path}/cart` : (request.headers.get("referer") ?? "/cart");
  return withCart(context, new Response(null, { status: 302, headers: { location: to } }));
}

/** Adds the requested sections of the theme, rendered with the changed cart. */
async function withSections(
  store: Store,
  context: StorefrontContext,
  input: unknown,
  response: Response,
): Promise<Response> {
  const wanted = sectionsSchema.safeParse(input);
  if (!wanted.success || !response.ok) return response;
  const body = z.record(z.string(), z.unknown()).parse(await response.json());
  return Response.json({ ...body, sections: await renderSections(store, context, wanted.data.sections) });
}

/** Adds the cart's cookie to a response. */
export function withCart({ cart }: StorefrontContext, response: Response): Response {
  response.headers.append("set-cookie", sessionCookie(CART_COOKIE, cart.token));
  response.headers.set("cache-control", "no-store");
  return response;
}
