import type { RequestContext } from "../foundation/request-context.ts";
import type { Cart } from "../store/carts.ts";
import type { StoreCustomer } from "../store/customers.ts";
import type { Store } from "../store/store.ts";

/** A request to the storefront with its shopper. */
export interface StorefrontContext extends RequestContext {
  /** without the locale */
  url: URL;
  customer: StoreCustomer | undefined;
  cart: Cart;
}

export const CART_COOKIE = "cart";
export const LOGIN_COOKIE = "_shopify_customer";

export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [key, ...value] = pair.trim().split("=");
    if (key === name) return value.join("=");
  }
  return undefined;
}

export function readStorefrontContext(
  store: Store,
  request: Request,
  context: RequestContext,
  url: URL,
): StorefrontContext {
  const customerId = store.customerSessions.customerId(readCookie(request, LOGIN_COOKIE));
  return {
    ...context,
    url,
    customer: customerId === undefined ? undefined : store.customers.byId(customerId),
    cart: store.carts.open(readCookie(request, CART_COOKIE)),
  };
}

/** Returns a session cookie that scripts cannot read. */
export function sessionCookie(name: string, value: string): string {
  return `${name}=${value}; Path=/; SameSite=Lax; HttpOnly`;
}
