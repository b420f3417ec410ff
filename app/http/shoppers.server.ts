import { env } from "../platform/env.server.ts";
import { Failure } from "../platform/failure.ts";
import { identifyShopper, isCustomer, mayKeepList, type Customer, type Shopper } from "../storefront/index.server.ts";
import { addressBucket, clientAddress } from "./client-address.server.ts";
import type { RequestContext } from "./context.ts";
import { anybody, failedFrom, type Identified, type Policy } from "./policies.server.ts";

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
  const charges: Identified<Shopper>["charges"] = [{ class: "address", subject }];
  if (request.method !== "GET" && request.method !== "HEAD" && !isOwnOrigin(request, who.shop)) {
    return { who: new Failure("forbidden_origin", "Only the store's own pages may send this."), charges };
  }
  return { who: { ...who, address: subject }, charges };
}

/** Whoever calls through a store's app proxy, a guest or a customer, as Shopify's signature says; limited by address. */
export const shopper: Policy<Shopper, unknown> = { kind: "shopper", identify, authorise: anybody };

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
  authorise: anybody,
};
