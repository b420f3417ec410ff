import { CART_COOKIE, LOGIN_COOKIE, readCookie } from "../foundation/cookies.ts";
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
