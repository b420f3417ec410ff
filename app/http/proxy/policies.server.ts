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
import { anybody, failedFrom, type Identified, type Policy } from "../policy.server.ts";

/**
 * Did a page of the store itself make this request? A browser says on each POST which origin made it; to the store's own hosts the one
 * counts that Shopify has seen it call.
 */
function isOwnOrigin(request: Request, shop: string): boolean {
  const origin = request.headers.get("origin");
  if (origin === null) return true;
  const forwarded = (request.headers.get("x-forwarded-host") ?? "").split(",").map((host) => host.trim().toLowerCase());
  const host = URL.parse(origin)?.host;
  return host !== undefined && host !== "" && (host === shop || forwarded.includes(host));
}

async function identify(request: Request, context: RequestContext): Promise<Identified<Shopper>> {
  const { target } = context;
  const mark = target.indexOf("?");
  const who = await identifyShopper(mark < 0 ? "" : target.slice(mark + 1));
  if (who instanceof Failure) {
    // Unsigned, it has not passed Shopify's proxies, and what they would have said of its address is the caller's own word.
    return { who, charges: who.code === "not_found" ? [] : [failedFrom(context)] };
  }
  context.logged.shop = who.shop;
  const { trustedProxyHops, appProxyExtraHops } = env();
  const address = clientAddress(
    context.clientAddress,
    request.headers.get("x-forwarded-for") ?? undefined,
    trustedProxyHops + appProxyExtraHops,
  );
  const subject = addressBucket(address);
  const charges: Charge[] = [{ class: "storefront_address", subject }];
  const { shopId, customerId } = who;
  if (customerId !== undefined) charges.unshift({ class: "customer", subject: `${shopId}:${customerId}` });
  if (request.method !== "GET" && request.method !== "HEAD" && !isOwnOrigin(request, who.shop)) {
    return { who: new Failure("forbidden_origin", "Only the store's own pages may send this."), charges };
  }
  return { who: { ...who, address: subject }, charges };
}

/**
 * Limits a guest once the body has named them. Anyone can invent guest ids, so the address has been charged before; the id itself leaves
 * the process as a hash only.
 */
function guestCharges(who: Shopper, body: unknown): Charge[] {
  if (isCustomer(who) || typeof body !== "object" || body === null || !("guestId" in body)) return [];
  const owner = typeof body.guestId === "string" ? ownerOf(who, body.guestId) : undefined;
  return owner ? [{ class: "guest", subject: `${who.shopId}:${owner.id}` }] : [];
}

/** A guest or a customer who calls through a store's app proxy, as Shopify's signature says; each limited, and so is their address. */
export const shopper: Policy<Shopper, unknown> = {
  kind: "shopper",
  identify,
  bodyCharges: guestCharges,
  authorise: anybody,
};

/** The same for customers alone. */
export const customer: Policy<Customer, unknown> = {
  kind: "shopper",
  async identify(request, context) {
    const { who, charges } = await identify(request, context);
    if (who instanceof Failure || isCustomer(who)) return { who, charges };
    return { who: new Failure("login_required", "Log in to the store first."), charges };
  },
  authorise: anybody,
};

/** The same for whoever can have a list: guests only where the store keeps lists for them. */
export const listKeeper: Policy<Shopper, unknown> = {
  kind: "shopper",
  async identify(request, context) {
    const { who, charges } = await identify(request, context);
    if (who instanceof Failure || mayKeepList(who)) return { who, charges };
    const message = "This store keeps wishlists for customers who are logged in. Log in first.";
    return { who: new Failure("guest_lists_off", message), charges };
  },
  bodyCharges: guestCharges,
  authorise: anybody,
};
