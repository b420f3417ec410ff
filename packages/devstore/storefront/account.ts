import type { Store } from "../store/store.ts";
import { LOGIN_COOKIE, readCookie, sessionCookie } from "../foundation/cookies.ts";
import { rootsOf } from "./globals.ts";
import type { StorefrontContext } from "./context.ts";

function redirect(location: string, cookie?: string): Response {
  const headers = new Headers({ location, "cache-control": "no-store" });
  if (cookie !== undefined) headers.append("set-cookie", cookie);
  return new Response(null, { status: 302, headers });
}

/** Returns the wanted path if it belongs to this storefront. */
function localPath(wanted: FormDataEntryValue | null, otherwise: string): string {
  return typeof wanted === "string" && /^\/(?![/\\])/.test(wanted) ? wanted : otherwise;
}

/** Logs a customer in, without a password. */
export async function login(store: Store, context: StorefrontContext, request: Request): Promise<Response> {
  const form = await request.formData().catch(() => new FormData());
  const id = form.get("customer_id");
  const customer = typeof id === "string" ? store.customers.byId(id) : undefined;
  const root = rootsOf(context).path;
  if (customer === undefined) return redirect(`${root}/account/login`);
  store.customerSessions.close(readCookie(request, LOGIN_COOKIE));
  return redirect(
    localPath(form.get("return_url"), root || "/"),
    sessionCookie(LOGIN_COOKIE, store.customerSessions.open(customer.id)),
  );
}

export function logout(store: Store, context: StorefrontContext, request: Request): Response {
  store.customerSessions.close(readCookie(request, LOGIN_COOKIE));
  return redirect(rootsOf(context).path || "/", `${sessionCookie(LOGIN_COOKIE, "")}; Max-Age=0`);
}
