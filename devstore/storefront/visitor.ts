import type { Arrival } from "../http/visit.ts";
import type { Cart } from "../store/carts.ts";
import type { StoreCustomer } from "../store/customers.ts";
import type { Store } from "../store/store.ts";

/** A request to the storefront, with who asks. */
export interface Visit {
  arrival: Arrival;
  /** without the locale */
  url: URL;
  customer: StoreCustomer | undefined;
  cart: Cart;
}

export const CART_COOKIE = "cart";
export const LOGIN_COOKIE = "_shopify_customer";

export function cookieOf(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [key, value] = pair.trim().split("=");
    if (key === name) return value;
  }
  return undefined;
}

export function readVisit(store: Store, request: Request, arrival: Arrival, url: URL): Visit {
  const customerId = store.logins.customerId(cookieOf(request, LOGIN_COOKIE));
  return {
    arrival,
    url,
    customer: customerId === undefined ? undefined : store.customers.byId(customerId),
    cart: store.carts.open(cookieOf(request, CART_COOKIE)),
  };
}

/** For the visit, as the browser closes it; readable to no script. */
export function setCookie(name: string, value: string): string {
  return `${name}=${value}; Path=/; SameSite=Lax; HttpOnly`;
}
