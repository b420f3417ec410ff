import { env } from "../../platform/process/env.server.ts";
import { Failure } from "../../platform/failure.ts";
import {
  identifyShopper,
  isCustomer,
  mayKeepList,
  readSignedQuery,
  withGuest,
  type Shopper,
} from "../../storefront/index.server.ts";
import { addressBucket, clientAddress } from "../client-address.server.ts";
import type { RequestContext } from "../context.ts";
import type { Charge } from "../rate-limits.server.ts";
import {
  allowAll,
  failedAuthenticationCharge,
  identifyAsker,
  type Authenticated,
  type Policy,
} from "../policy.server.ts";

/**
 * Tells whether a page of the store sent this request. Browsers send `Origin` with each POST; the store's hosts are its shop domain and
 * the host of the request to Shopify (`X-Forwarded-Host`).
 */
function isStoreOrigin(request: Request, shop: string): boolean {
  const origin = request.headers.get("origin");
  if (origin === null) return true;
  const forwarded = (request.headers.get("x-forwarded-host") ?? "").split(",").map((host) => host.trim().toLowerCase());
  const host = URL.parse(origin)?.host;
  return host !== undefined && host !== "" && (host === shop || forwarded.includes(host));
}

async function authenticateShopper(
  request: Request,
  context: RequestContext,
  { anyOrigin = false } = {},
): Promise<Authenticated<Shopper>> {
  const { target } = context;
  const mark = target.indexOf("?");
  const signed = readSignedQuery(mark < 0 ? "" : target.slice(mark + 1));
  if (!(signed instanceof Failure)) context.throughAppProxy = true;
  const caller = signed instanceof Failure ? signed : await identifyShopper(signed);
  if (caller instanceof Failure) {
    // An unsigned request did not pass Shopify's proxies, so its X-Forwarded-For can be forged.
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
  const { owner } = caller;
  if (owner) charges.unshift({ class: "customer", subject: `${owner.shopId}:${owner.id}` });
  if (!anyOrigin && request.method !== "GET" && request.method !== "HEAD" && !isStoreOrigin(request, caller.shop)) {
    return { caller: new Failure("forbidden_origin", "Only pages of the store may send this request."), charges };
  }
  return { caller: { ...caller, address: subject }, charges };
}

/**
 * Returns the shopper with the guest whom the body names, and the guest's limit. The address has been charged before, because guest ids can be
 * invented. Only the hash of the id leaves the process.
 */
function identify(caller: Shopper, body: unknown): { caller: Shopper; charges: Charge[] } {
  const named = withGuest(caller, body);
  if (named === caller || !named.owner) return { caller, charges: [] };
  return { caller: named, charges: [{ class: "guest", subject: `${named.shopId}:${named.owner.id}` }] };
}

/** Shoppers, guests and customers, whose requests Shopify's app proxy has signed. Limited per shopper and per address. */
export const shopper: Policy<Shopper, unknown> = {
  kind: "shopper",
  authenticate: (request, context) => authenticateShopper(request, context),
  identify,
  authorize: allowAll,
};

/** As `shopper`. Who is not logged in is a guest whom nothing names, and asks by an email address. */
export const asker: Policy<Shopper, unknown> = {
  ...shopper,
  identify(caller) {
    const { shopId, address, owner = { shopId, kind: "guest", id: "", address } } = caller;
    return identifyAsker({ ...caller, owner });
  },
};

/** As `shopper`, also from outside of the store's pages, as from the button of a mail program: what it may do, its link allows. */
export const linkHolder: Policy<Shopper, unknown> = {
  kind: "shopper",
  authenticate: (request, context) => authenticateShopper(request, context, { anyOrigin: true }),
  authorize: allowAll,
};

/** As `shopper`, for customers only. */
export const customer: Policy<Shopper, unknown> = {
  kind: "shopper",
  async authenticate(request, context) {
    const { caller, charges } = await authenticateShopper(request, context);
    if (caller instanceof Failure || isCustomer(caller)) return { caller, charges };
    return { caller: new Failure("login_required", "Log in to the store first."), charges };
  },
  authorize: allowAll,
};

/** As `shopper`, for shoppers who can have a list: guests only if the shop's settings allow guest lists. */
export const listOwner: Policy<Shopper, unknown> = {
  ...shopper,
  async authenticate(request, context) {
    const { caller, charges } = await authenticateShopper(request, context);
    if (caller instanceof Failure || mayKeepList(caller)) return { caller, charges };
    const message = "In this store, only logged-in customers have wishlists. Log in first.";
    return { caller: new Failure("guest_lists_off", message), charges };
  },
};
