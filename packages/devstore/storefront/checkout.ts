import { z } from "zod";
import { placeOrder } from "../actions/orders.ts";
import type { CartLine } from "../store/carts.ts";
import { orderTotal } from "../store/orders.ts";
import type { Store } from "../store/store.ts";
import type { StoreEvents } from "../webhooks/events.ts";
import type { StorefrontContext } from "./context.ts";
import { rootsOf, type PageSubject } from "./globals.ts";
import { renderPage } from "./page.ts";

const CHECKOUT = "/checkout";
const THANK_YOU = "/checkout/thank_you";

const emailSchema = z.email();

/** Returns the title of the first product that the store can no longer deliver in the wanted quantity. */
function soldOut({ catalog }: Store, lines: readonly CartLine[]): string | undefined {
  for (const { variantId, quantity } of lines) {
    const found = catalog.published.variant(variantId);
    if (found === undefined) continue;
    const { inventory } = found.variant;
    if (inventory.tracked && inventory.policy === "DENY" && quantity > inventory.quantity) return found.product.title;
  }
  return undefined;
}

function redirect(context: StorefrontContext, path: string): Response {
  return new Response(null, { status: 302, headers: { location: rootsOf(context).path + path } });
}

function checkoutPage(
  store: Store,
  context: StorefrontContext,
  problem: { kind: "email" | "sold_out"; title: string } | undefined,
): Promise<Response> {
  const objects = { checkout: { path: rootsOf(context).path + CHECKOUT, problem: problem ?? null } };
  const status = problem === undefined ? 200 : 422;
  return renderPage(store, context, { template: "checkout", title: "Checkout", status, objects });
}

async function pay(store: Store, events: StoreEvents, context: StorefrontContext, request: Request): Promise<Response> {
  const { cart, customer } = context;
  const form = await request.formData().catch(() => new FormData());
  const email = emailSchema.safeParse(form.get("email"));
  if (customer === undefined && !email.success) return checkoutPage(store, context, { kind: "email", title: "" });
  const title = soldOut(store, cart.lines);
  if (title !== undefined) return checkoutPage(store, context, { kind: "sold_out", title });
  const order = placeOrder(store, events, {
    lines: cart.lines.filter(({ variantId }) => store.catalog.published.variant(variantId) !== undefined),
    customerId: customer?.id,
    email: customer === undefined ? email.data : undefined,
    cartToken: cart.token,
  });
  store.carts.clear(cart);
  return redirect(context, `${THANK_YOU}?order=${order.id}`);
}

/** Handles the checkout, which charges nobody. @returns undefined for any other path */
export async function checkout(
  store: Store,
  events: StoreEvents,
  context: StorefrontContext,
  request: Request,
): Promise<Response | undefined> {
  const { url, cart } = context;
  if (url.pathname === THANK_YOU) {
    const order = store.orders.byId(url.searchParams.get("order") ?? "");
    if (order === undefined) return redirect(context, "/");
    const subject: PageSubject = {
      template: "thank-you",
      title: order.name,
      objects: { order: { name: order.name, total_price: orderTotal(order) } },
    };
    return renderPage(store, context, subject);
  }
  if (url.pathname !== CHECKOUT) return undefined;
  if (!cart.lines.some(({ variantId }) => store.catalog.published.variant(variantId)))
    return redirect(context, "/cart");
  return request.method === "POST" ? pay(store, events, context, request) : checkoutPage(store, context, undefined);
}
