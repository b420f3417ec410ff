import { isAlertId, kindOfAlert, withdrawByAlert } from "../../alerts/index.server.ts";
import type { Shopper } from "../identity.server.ts";
import { themedPage, type LiquidPage } from "./liquid-page.ts";

/** Who has the link can withdraw: it is kept out of search engines and of other sites' logs. */
const HEADERS = { "X-Robots-Tag": "noindex", "Referrer-Policy": "same-origin" };

function page(shopper: Shopper, state: "asking" | "done" | "unknown", alertId: string): LiquidPage {
  const action = `${shopper.storePath}/alerts/${alertId}/withdraw`;
  return { ...themedPage("withdraw", { proxy: shopper.storePath, level: 1, state, action }), headers: HEADERS };
}

/** Asks before it withdraws, because mail scanners open links. */
export async function askToWithdraw(shopper: Shopper, alertId: string): Promise<LiquidPage> {
  const kind = isAlertId(alertId) ? await kindOfAlert(shopper.shopId, alertId) : undefined;
  return page(shopper, kind === undefined ? "unknown" : "asking", alertId);
}

/** Withdraws by the form of the page, or by a mail program's own button (RFC 8058). */
export async function withdraw(shopper: Shopper, alertId: string): Promise<LiquidPage> {
  const kind = isAlertId(alertId) ? await withdrawByAlert(shopper.shopId, alertId) : undefined;
  return page(shopper, kind === undefined ? "unknown" : "done", alertId);
}
