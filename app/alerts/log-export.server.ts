import { now } from "../platform/clock.server.ts";
import { download, type DownloadLimits } from "../platform/download.server.ts";
import { log } from "../platform/log/log.server.ts";
import { csvRecord } from "../platform/text/csv.ts";
import { isoTime } from "../platform/text/iso-time.ts";
import { alertFilters, toMomentId } from "./log-query.ts";
import { listMomentAlerts } from "./moment-alerts.server.ts";
import { listMoments, logRange, readMoment } from "./moments.server.ts";
import type { AlertFilters, AlertMoment, LoggedAlert } from "./report.ts";

/** Maximum alerts of a file. */
const EXPORTED = 50_000;

/** A page's script reads the file, at the speed of the merchant's connection. */
const LIMITS: DownloadLimits = { least: 20 * 4_000, window: 20_000, deadline: 5 * 60_000 };

/** Alerts that are read at a time. */
const READ = 500;

const COLUMNS = [
  ...["Date", "Kind", "Product id", "Product", "Variant id", "Variant", "Customer id", "Outcome", "Reason"],
  ...["Price before", "Price", "Sent", "Opened", "Visited", "Added to cart", "Bought", "Revenue", "Currency", "Email"],
];

function record(at: Date, alert: LoggedAlert, currency: string | null): string {
  const time = (moment: Date | null): string => (moment ? isoTime(moment.getTime()) : "");
  return csvRecord([
    ...[isoTime(at.getTime()), alert.kind, alert.productId, alert.productTitle ?? ""],
    ...[alert.variantId, alert.variantTitle ?? "", alert.customerId, alert.status, alert.reason ?? ""],
    ...[alert.referencePrice ?? "", alert.price ?? "", time(alert.sentAt), time(alert.openedAt)],
    ...[time(alert.returnedAt), time(alert.addedToCartAt), time(alert.boughtAt), alert.revenue ?? "", currency ?? ""],
    alert.deliveries.findLast(({ channel }) => channel === "email")?.status ?? "",
  ]);
}

/** Returns the moments of an export: one, or all that the filters find. */
async function* momentsOf(
  shopId: number,
  filters: AlertFilters,
  id: number | undefined,
): AsyncGenerator<{ moment: AlertMoment; occurrences: number[] }, void> {
  if (id !== undefined) {
    const found = await readMoment(shopId, id);
    if (found) yield found;
    return;
  }
  const range = await logRange(shopId, filters);
  let before: number | undefined;
  do {
    const page = await listMoments(shopId, { ...filters, before, after: undefined }, { range });
    for (const moment of page.moments) {
      const found = await readMoment(shopId, moment.id);
      if (found) yield found;
    }
    before = page.older;
  } while (before !== undefined);
}

/**
 * Writes the alerts that filters find as CSV, newest moment first, in pieces: a piece reads what it writes, so no connection is held between two.
 * @param options.momentId of the only moment to write
 * @param options.limit maximum alerts
 */
async function* writeAlerts(
  shop: { id: number; currency: string | null },
  filters: AlertFilters,
  { momentId, limit }: { momentId: number | undefined; limit: number },
): AsyncGenerator<string, void> {
  yield `\u{FEFF}${csvRecord(COLUMNS)}`;
  let left = limit;
  for await (const { moment, occurrences } of momentsOf(shop.id, filters, momentId)) {
    let before: string | undefined;
    do {
      const of = { occurrences, hasRevenue: moment.revenue !== null };
      const position = { status: filters.status, before, after: undefined };
      const { alerts, hasOlder } = await listMomentAlerts(shop.id, of, position, Math.min(READ, left));
      if (alerts.length > 0) yield alerts.map((alert) => record(moment.at, alert, shop.currency)).join("");
      left -= alerts.length;
      before = hasOlder ? alerts.at(-1)?.id : undefined;
    } while (before !== undefined && left > 0);
    if (left === 0) return;
  }
}

/** Returns the name of an export's file as of today. */
function exportName({ domain, timeZone }: { domain: string; timeZone: string }): string {
  const store = domain.replace(/\.myshopify\.com$/, "");
  const today = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(now());
  return `wishlist-alerts-${store.replaceAll(/[^\w-]+/g, "_").slice(0, 60)}-${today}.csv`;
}

interface AlertDownload {
  name: string;
  body: ReadableStream<Uint8Array>;
}

/**
 * Exports the alerts that the filters in a query find, or those of its `moment`, as CSV. Invalid filters are ignored.
 * @param limit maximum alerts
 */
export function downloadAlerts(
  shop: { id: number; domain: string; timeZone: string; currency: string | null },
  query: URLSearchParams,
  limit = EXPORTED,
): AlertDownload {
  const momentId = toMomentId(query.get("moment") ?? undefined);
  const pieces = writeAlerts(shop, alertFilters(query), { momentId, limit });
  const onEnd = (reason: string | undefined): void => {
    if (reason !== undefined) log.warn({ shop: shop.domain, reason }, "an export of alerts was aborted");
  };
  return { name: exportName(shop), body: download(pieces, LIMITS, onEnd) };
}
