import type { Store } from "../store/store.ts";
import { rootsOf } from "./globals.ts";
import { cookieOf, LOGIN_COOKIE, setCookie, type Visit } from "./visitor.ts";

function lead(location: string, cookie?: string): Response {
  const headers = new Headers({ location, "cache-control": "no-store" });
  if (cookie !== undefined) headers.append("set-cookie", cookie);
  return new Response(null, { status: 302, headers });
}

/** A path of this storefront only. */
function pathIn(wanted: FormDataEntryValue | null, otherwise: string): string {
  return typeof wanted === "string" && /^\/(?![/\\])/.test(wanted) ? wanted : otherwise;
}

/** Logs in as one of the shop's customers, who have no passwords here. */
export async function login(store: Store, visit: Visit, request: Request): Promise<Response> {
  const form = await request.formData().catch(() => new FormData());
  const id = form.get("customer_id");
  const customer = typeof id === "string" ? store.customers.byId(id) : undefined;
  const root = rootsOf(visit).path;
  if (customer === undefined) return lead(`${root}/account/login`);
  store.logins.close(cookieOf(request, LOGIN_COOKIE));
  return lead(pathIn(form.get("return_url"), root || "/"), setCookie(LOGIN_COOKIE, store.logins.open(customer.id)));
}

export function logout(store: Store, visit: Visit, request: Request): Response {
  store.logins.close(cookieOf(request, LOGIN_COOKIE));
  return lead(rootsOf(visit).path || "/", `${setCookie(LOGIN_COOKIE, "")}; Max-Age=0`);
}
