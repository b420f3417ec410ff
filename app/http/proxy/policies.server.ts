import { env } from "../../platform/env.server.ts";
import { Failure } from "../../platform/failure.ts";
import {
  identifyShopper,
  isCustomer,
  mayKeepList,
  ownerOf,
  type Customer,
  type Shopper,
} from "../../storefront/index.server.ts";
import { addressBucket, clientAddress } from "../client-address.server.ts";
import type { RequestContext } from "../context.ts";
import type { Charge } from "../rate-limits.server.ts";
import { allowAll, failedAuthenticationCharge, type Authenticated, type Policy } from "../policy.server.ts";

/**
 * Did a page of the store itself make this request? A browser says on each POST which origin made it; to the store's own hosts the one
 * counts that Shopify has seen it call.
 */
function isStoreOrigin(request: Request, shop: string): boolean {
  const origin = request.headers.get("origin");
  if (origin === null) return true;
  const forwarded = (request.headers.get("x-forwarded-host") ?? "").split(",").map((host) => host.trim().toLowerCase());
  const host = URL.parse(origin)?.host;
  return host !== undefined && host !== "" && (host === shop || forwarded.includes(host));
}

async function authenticateShopper(request: Request, context: RequestContext): Promise<Authenticated<Shopper>> {
  const { target } = context;
  const mark = target.indexOf("?");
  const caller = await identifyShopper(mark < 0 ? "" : target.slice(mark + 1));
  if (caller instanceof Failure) {
    // Unsigned, it has not passed Shopify's proxies, and what they would have said of its address is the caller's own word.
    return { caller, charges: caller.code === "not_found" ? [] : [failedAuthenticationCharge(context)] };
  }
  context.logged.shop = caller.shop;
  const { trustedProxyHops, appProxyExtraHops } = env();
  const address = clientAddress(
    context.clientAddress,
    request.headers.get("x-forwarded-for") ?? undefined,
    trustedProxyHops + appProxyExtraHops,
  );
  const subject = addressBucket(address);
  const charges: Charge[] = [{ class: "storefront_address", subject }];
  const { shopId, customerId } = caller;
  if (customerId !== undefined) charges.unshift({ class: "customer", subject: `${shopId}:${customerId}` });
  if (request.method !== "GET" && request.method !== "HEAD" && !isStoreOrigin(request, caller.shop)) {
    return { caller: new Failure("forbidden_origin", "Only the store's own pages may send this."), charges };
  }
  return { caller: { ...caller, address: subject }, charges };
}

/**
 * Limits a guest once the body has named them. Anyone can invent guest ids, so the address has been charged before; the id itself leaves
 * the process as a hash only.
 */
function guestCharges(caller: Shopper, body: unknown): Charge[] {
  if (isCustomer(caller) || typeof body !== "object" || body === null || !("guestId" in body)) return [];
  const owner = typeof body.guestId === "string" ? ownerOf(caller, body.guestId) : undefined;
  return owner ? [{ class: "guest", subject: `${caller.shopId}:${owner.id}` }] : [];
}

/** A guest or a customer who calls through a store's app proxy, as Shopify's signature says; each limited, and so is their address. */
export const shopper: Policy<Shopper, unknown> = {
  kind: "shopper",
  authenticate: authenticateShopper,
  bodyCharges: guestCharges,
  authorize: allowAll,
};

/** The same for customers alone. */
export const customer: Policy<Customer, unknown> = {
  kind: "shopper",
  async authenticate(request, context) {
    const { caller, charges } = await authenticateShopper(request, context);
    if (caller instanceof Failure || isCustomer(caller)) return { caller, charges };
    return { caller: new Failure("login_required", "Log in to the store first."), charges };
  },
  authorize: allowAll,
};

/** The same for whoever can have a list: guests only where the store keeps lists for them. */
export const listOwner: Policy<Shopper, unknown> = {
  kind: "shopper",
  async authenticate(request, context) {
    const { caller, charges } = await authenticateShopper(request, context);
    if (caller instanceof Failure || mayKeepList(caller)) return { caller, charges };
    const message = "This store keeps wishlists for customers caller are logged in. Log in first.";
    return { caller: new Failure("guest_lists_off", message), charges };
  },
  bodyCharges: guestCharges,
  authorize: allowAll,
};
