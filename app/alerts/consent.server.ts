import { z } from "zod";
import { isContact } from "../contacts/contact-id.ts";
import { hasFeature, type Plan } from "../billing/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { run, runOne, shopStatement, statement } from "../platform/database/database.server.ts";
import { ALERT_KINDS, type AlertChoices, type AlertKind, alertKindSchema } from "./kinds.ts";
import { newestAlerts } from "./newest-sql.ts";
import { RESULTS_LIMIT, type ConsentCounts } from "./report.ts";
import { resultsSince } from "./results.server.ts";

const choicesStatement = statement<{ kinds: string[] | null; chosen: Record<string, string> | null }>(
  "alert_choices",
  `SELECT (SELECT kinds FROM alert_settings WHERE shop_id = $1 AND mode = 'consent') AS kinds,
          (SELECT json_object_agg(c.kind, c.at)
             FROM (SELECT DISTINCT ON (kind) kind, given, at FROM alert_consent
                    WHERE shop_id = $1 AND customer_id = $2 ORDER BY kind, id DESC) AS c
            WHERE c.given) AS chosen`,
);

/** Returns what a customer has asked for, and can ask for. A shop that answers for the consent itself, or whose plan has no alerts, offers nothing. */
export async function readAlertChoices(shopId: number, plan: Plan, customerId: string): Promise<AlertChoices> {
  const { kinds, chosen } = await runOne(choicesStatement, [shopId, customerId]);
  const on = hasFeature(plan, "alerts") ? alertKindSchema.array().parse(kinds ?? []) : [];
  const sinceOf = (kind: AlertKind): Date | null => {
    const at = chosen?.[kind];
    return at === undefined ? null : new Date(at);
  };
  return {
    offered: ALERT_KINDS.filter((kind) => on.includes(kind)),
    since: {
      price_dropped: sinceOf("price_dropped"),
      back_in_stock: sinceOf("back_in_stock"),
      low_stock: sinceOf("low_stock"),
      reminder_due: sinceOf("reminder_due"),
    },
  };
}

const recordStatement = statement<{ recorded: boolean }>(
  "alert_consent_record",
  `SELECT alert_consent_record(p_shop_id => $1, p_customer_id => $2, p_kinds => $3, p_given => $4, p_at => $5, p_source => $6,
                               p_wording => $7, p_locale => $8) AS recorded`,
);

/** How a customer has asked or withdrawn. */
export interface ConsentChange {
  /** the kinds that are on from now on; the others are off */
  kinds: readonly AlertKind[];
  source: "storefront" | "api";
  /** the text to which the customer agreed, if it is known */
  wording?: string | undefined;
  /** its language, such as `en` */
  locale?: string | undefined;
}

/** Records what a customer asks for. What is so already is not recorded again. @param among the kinds that the change is about */
export async function changeAlertChoices(
  shopId: number,
  customerId: string,
  { kinds, source, wording, locale }: ConsentChange,
  among: readonly AlertKind[] = ALERT_KINDS,
): Promise<void> {
  const record = (some: readonly AlertKind[], given: boolean) =>
    runOne(recordStatement, [shopId, customerId, some, given, now(), source, wording ?? null, locale ?? null]);
  // What is withdrawn ends first, whatever becomes of the rest.
  await record(
    among.filter((kind) => !kinds.includes(kind)),
    false,
  );
  await record(
    among.filter((kind) => kinds.includes(kind)),
    true,
  );
}

const alertStatement = statement<{ customer_id: string; kind: string }>(
  "alert_of_link",
  "SELECT customer_id, kind FROM alert WHERE shop_id = $1 AND id = $2 AND status = 'sent'",
);

const withdrawRequestsStatement = statement<Record<string, never>>(
  "alert_request_withdraw",
  "SELECT alert_request_withdraw(p_shop_id => $1, p_customer_id => $2, p_kinds => $3, p_all => $4)",
);

/** What the link of an alert ends: alerts of its kind, or all of the customer's. */
export type WithdrawalScope = "kind" | "all";

/** Returns the kind that the link of an alert withdraws; undefined for an unknown alert. */
export async function kindOfAlert(shopId: number, alertId: string): Promise<AlertKind | undefined> {
  const [row] = await run(alertStatement, [shopId, alertId]);
  return row && alertKindSchema.parse(row.kind);
}

/**
 * Withdraws what the customer of an alert has asked for, of the alert's kind or of all. The alert's id is enough: it holds 62 random bits, and only the email to the
 * customer names it.
 * @returns the kind; undefined for an unknown alert
 */
export async function withdrawByAlert(
  shopId: number,
  alertId: string,
  scope: WithdrawalScope = "kind",
): Promise<AlertKind | undefined> {
  const [row] = await run(alertStatement, [shopId, alertId]);
  if (!row) return undefined;
  const kinds = scope === "all" ? ALERT_KINDS : [row.kind];
  await runOne(withdrawRequestsStatement, [shopId, row.customer_id, kinds, scope === "all"]);
  // A contact asks for single variants only.
  if (!isContact(row.customer_id))
    await runOne(recordStatement, [shopId, row.customer_id, kinds, false, now(), "link", null, null]);
  return alertKindSchema.parse(row.kind);
}

const countsStatement = statement<{ kind: string; customers: number }>(
  "alert_consent_counts",
  `SELECT c.kind, count(*)::integer AS customers
     FROM (SELECT DISTINCT ON (customer_id, kind) kind, given FROM alert_consent WHERE shop_id = $1 ORDER BY customer_id, kind, id DESC) AS c
    WHERE c.given GROUP BY c.kind`,
);

/** Returns how many customers have asked for each kind. */
export async function consentCounts(shopId: number): Promise<Record<AlertKind, number>> {
  const counts = { price_dropped: 0, back_in_stock: 0, low_stock: 0, reminder_due: 0 };
  for (const { kind, customers } of await run(countsStatement, [shopId]))
    counts[alertKindSchema.parse(kind)] = customers;
  return counts;
}

const resultsConsentStatement = shopStatement<ConsentCounts & { kind: string }>(
  "alert_results_consent",
  `WITH customer AS (
     SELECT c.kind, c.customer_id, true AS consented
       FROM (SELECT DISTINCT ON (customer_id, kind) customer_id, kind, given FROM alert_consent WHERE shop_id = $1 ORDER BY customer_id, kind, id DESC) AS c
      WHERE c.given
      UNION ALL
     SELECT k.kind, t.customer_id, false
       FROM unnest($2::text[]) AS k (kind)
      CROSS JOIN LATERAL (${newestAlerts("'sent'", "a.customer_id", "$4::integer")}) AS t
   ), counted AS (
     SELECT kind, customer_id, bool_or(consented) AS consented FROM customer GROUP BY kind, customer_id
   )
   SELECT kind, (count(*) FILTER (WHERE consented))::integer AS consented, count(*)::integer AS "consentedOrSent" FROM counted GROUP BY kind
    UNION ALL
   SELECT 'all', (count(*) FILTER (WHERE p.consented))::integer, count(*)::integer
     FROM (SELECT bool_or(consented) AS consented FROM counted GROUP BY customer_id) AS p`,
);

const countedSchema = z.enum(["all", ...ALERT_KINDS]);

/** Returns how many customers ask for each kind, and for any, as the beginning of the funnel of the last 30 days. */
export async function consentResults(shopId: number): Promise<Record<AlertKind | "all", ConsentCounts>> {
  const none: ConsentCounts = { consented: 0, consentedOrSent: 0 };
  const counts = { all: none, price_dropped: none, back_in_stock: none, low_stock: none, reminder_due: none };
  for (const { kind, ...count } of await run(resultsConsentStatement, [
    shopId,
    ALERT_KINDS,
    resultsSince(),
    RESULTS_LIMIT,
  ]))
    counts[countedSchema.parse(kind)] = count;
  return counts;
}
