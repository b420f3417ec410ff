import { isAlertId, kindOfAlert, withdrawByAlert, type WithdrawalScope } from "../../alerts/index.server.ts";
import type { Shopper } from "../identity.server.ts";
import { themedPage, type LiquidPage } from "./liquid-page.ts";

/** Who has the link can withdraw: it is kept out of search engines and of other sites' logs. */
const HEADERS = { "X-Robots-Tag": "noindex", "Referrer-Policy": "same-origin" };

interface Link {
  alertId: string;
  scope: WithdrawalScope;
}

function page(shopper: Shopper, state: "asking" | "done" | "unknown", { alertId, scope }: Link): LiquidPage {
  const action = `${shopper.storePath}/alerts/${alertId}/withdraw${scope === "all" ? "/all" : ""}`;
  return { ...themedPage("withdraw", { proxy: shopper.storePath, level: 1, state, action }), headers: HEADERS };
}

/** Asks before it withdraws, because mail scanners open links. */
export async function askToWithdraw(shopper: Shopper, link: Link): Promise<LiquidPage> {
  const kind = isAlertId(link.alertId) ? await kindOfAlert(shopper.shopId, link.alertId) : undefined;
  return page(shopper, kind === undefined ? "unknown" : "asking", link);
}

/** Withdraws by the form of the page, or by a mail program's own button (RFC 8058). */
export async function withdraw(shopper: Shopper, link: Link): Promise<LiquidPage> {
  const { alertId, scope } = link;
  const kind = isAlertId(alertId) ? await withdrawByAlert(shopper.shopId, alertId, scope) : undefined;
  return page(shopper, kind === undefined ? "unknown" : "done", link);
}
