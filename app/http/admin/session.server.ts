import type { AppLoadContext } from "@remix-run/node";
import { log } from "../../platform/log/log.server.ts";
import { appClientId, authenticate } from "../../shopify.server.ts";
import { findShop, type Shop } from "../../shops/index.server.ts";
import type { CustomerAccess } from "../../customers/index.server.ts";
import { includesScope, OPTIONAL_SCOPES, toScopes, type OptionalScope } from "../../shopify-sessions/index.server.ts";
import type { Staff } from "../../audit/index.server.ts";

/** The staff member who sends a request from Shopify's admin, and their shop. */
export interface AdminSession {
  shop: Shop;
  /** recorded in the audit log as the author of changes */
  staff: Staff;
  /** context of Shopify's library: session, Admin API, billing */
  shopify: Awaited<ReturnType<typeof authenticate.admin>>;
}

/** Returns the staff member. The session token carries only the id; an online session that belongs to the same user adds name and email. */
function staffOf({ sessionToken, session }: AdminSession["shopify"]): Staff {
  const user = session.onlineAccessInfo?.associated_user;
  const known = user && String(user.id) === sessionToken.sub ? user : undefined;
  const name = known && `${known.first_name} ${known.last_name}`.trim();
  return { id: sessionToken.sub, name: name === "" ? undefined : name, email: known?.email };
}

/** Query parameters that Shopify adds to the URL of a page. */
const SHOPIFY_PARAMETERS = ["embedded", "shop", "host", "locale", "id_token", "hmac", "session", "timestamp"];

const RETRY_AFTER_S = "5";

/**
 * Tells whether the library could not start a session, for which it responds with an empty 500: Shopify exchanges the session token for no access
 * token, because it can't be reached or the app was uninstalled while a page of it was open, or the shop could not be installed.
 */
function hasNotStarted(thrown: unknown): boolean {
  return thrown instanceof Response && thrown.status === 500;
}

/**
 * Authenticates a merchant. A page that is opened outside Shopify's admin, such as in a new tab, is redirected to the same page inside the
 * admin; Shopify's library alone redirects to the app's first page.
 */
async function authenticateAdmin(request: Request, { http }: AppLoadContext): ReturnType<typeof authenticate.admin> {
  try {
    return await authenticate.admin(request);
  } catch (thrown) {
    if (hasNotStarted(thrown)) {
      log.warn({ requestId: http.requestId }, "a merchant's session could not be started");
      throw new Response(null, { status: 503, headers: { "Retry-After": RETRY_AFTER_S } });
    }
    const location = thrown instanceof Response ? thrown.headers.get("location") : null;
    if (location?.endsWith(`/apps/${appClientId()}`) !== true) throw thrown;
    const { pathname, searchParams } = new URL(request.url);
    for (const name of SHOPIFY_PARAMETERS) searchParams.delete(name);
    const query = searchParams.size === 0 ? "" : `?${searchParams}`;
    throw new Response(null, { status: 302, headers: { Location: location + pathname + query } });
  }
}

/**
 * Authenticates a request and loads its shop.
 * @throws a Response (redirect or 401) when the request carries no valid session
 */
export async function adminSession(request: Request, context: AppLoadContext): Promise<AdminSession> {
  const shopify = await authenticateAdmin(request, context);
  const shop = await findShop(shopify.session.shop);
  if (!shop) throw new Error("The session refers to an unknown shop.");
  context.http.logged.shop = shop.domain;
  return { shop, staff: staffOf(shopify), shopify };
}

/** Returns the shop and the staff member, as the audit log records them. */
export function actorOf({ shop, staff }: AdminSession): { shopId: number; staff: Staff } {
  return { shopId: shop.id, staff };
}

/** Returns what decides whether a page shows customers' names: the permission, and the merchant's choice. */
export function customerAccessOf(session: AdminSession): CustomerAccess {
  const { domain, customerNames } = session.shop;
  return { shop: domain, isPermitted: hasScope(session, OPTIONAL_SCOPES.customers), isShown: customerNames };
}

/** Returns whether the shop has granted a scope, according to its session. */
export function hasScope({ shopify }: AdminSession, scope: OptionalScope): boolean {
  return includesScope(toScopes(shopify.session.scope), scope);
}

/** Returns the URL of a page of the app inside Shopify's admin. @param page such as `/app/plan` */
export function adminUrl(shop: Pick<Shop, "domain">, page: string): string {
  return `https://admin.shopify.com/store/${shop.domain.replace(".myshopify.com", "")}/apps/${appClientId()}${page}`;
}
