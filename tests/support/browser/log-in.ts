import type { BrowserContext } from "playwright";
import type { Store } from "../../../packages/devstore/store/store.ts";
import { LOGIN_COOKIE } from "../../../packages/devstore/foundation/cookies.ts";

/** Logs a customer of a devstore in to its storefront, for the following pages of a browser profile; null logs out. */
export async function logIn(
  context: BrowserContext,
  url: string,
  store: Store,
  customer: string | null,
): Promise<void> {
  await context.clearCookies({ name: LOGIN_COOKIE });
  if (customer === null) return;
  const value = store.customerSessions.open(customer);
  await context.addCookies([{ name: LOGIN_COOKIE, value, url }]);
}
