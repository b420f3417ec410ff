import { setTimeout as pause } from "node:timers/promises";
import { VARIANT_OFFSET } from "../load/workload.ts";
import { withClient, type Dataset } from "./dataset.ts";
import { newProducts } from "./new-items.ts";
import { writingCustomers } from "./shape.ts";

const TIMEOUT_MS = 300_000;
/** Interval of polling, which limits the precision of the measured time. */
const POLL_MS = 20;

/** Adds items in one statement, with the effects of as many requests. */
export async function addAtOnce({ url, shopId, shape }: Dataset, count: number): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ added: number }>(
      `SELECT (count(*) FILTER (WHERE a.outcome = 'added'))::integer AS added
         FROM generate_series(0::bigint, $3::bigint - 1) AS n
         JOIN unnest($2::text[]) WITH ORDINALITY AS c (owner_id, place) ON c.place = n % cardinality($2::text[]) + 1
        CROSS JOIN LATERAL wishlist_add($1, 'customer', c.owner_id, ($4 + n)::text, ($4 + n + $5)::text, 'api', now()) AS a`,
      [shopId, writingCustomers(shape), count, newProducts(), VARIANT_OFFSET],
    );
    if (rows[0]?.added !== count) throw new Error(`${rows[0]?.added ?? 0} of ${count} items were added`);
  });
}

export async function deleteDeliveries({ url }: Dataset): Promise<void> {
  await withClient(url, async (client) => {
    await client.query("TRUNCATE activity, webhook_event, webhook_delivery, webhook_attempt");
    await client.query("CHECKPOINT");
  });
}

/** Notifies the service of a channel's deliveries, as the process that has created them does. @returns when, by PostgreSQL's clock */
export async function wakeChannel({ url, shopId }: Dataset, channel: string): Promise<Date> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ at: Date }>(
      "SELECT clock_timestamp() AS at, pg_notify('wishlist_webhooks', $1)",
      [`${shopId}:${channel}`],
    );
    return rows[0]?.at ?? new Date(NaN);
  });
}

/**
 * Waits until this number of deliveries has succeeded and is recorded, each with one attempt.
 * @param since when the measured time begins, by default with the creation of the first delivery
 * @returns seconds until the last one is recorded
 */
export async function deliveryTime({ url, shopId }: Dataset, count: number, since?: Date): Promise<number> {
  return withClient(url, async (client) => {
    // Reads a few rows: an index of pending deliveries is full of entries of delivered ones. An endpoint that is not due has delivered all.
    const left = async (): Promise<{ left: boolean; at: Date } | undefined> => {
      const { rows } = await client.query<{ left: boolean; at: Date }>({
        name: "left",
        text: `SELECT EXISTS (SELECT 1 FROM activity WHERE shop_id = $1 AND processed_at IS NULL)
                      OR EXISTS (SELECT 1 FROM webhook_endpoint WHERE shop_id = $1 AND due_at IS NOT NULL) AS left,
                      clock_timestamp() AS at`,
        values: [shopId],
      });
      return rows[0];
    };
    let state = await left();
    for (const deadline = performance.now() + TIMEOUT_MS; state?.left !== false; state = await left()) {
      if (performance.now() > deadline) throw new Error(`not all of ${count} deliveries succeeded within 5 minutes`);
      await pause(POLL_MS);
    }
    const { rows } = await client.query<{ first: Date; succeeded: number; attempts: number }>(
      `SELECT min(created_at) AS first, (count(*) FILTER (WHERE status = 'succeeded'))::integer AS succeeded,
              (SELECT count(*)::integer FROM webhook_attempt WHERE shop_id = $1 AND status BETWEEN 200 AND 299) AS attempts
         FROM webhook_delivery WHERE shop_id = $1`,
      [shopId],
    );
    const [made] = rows;
    if (made?.succeeded !== count || made.attempts !== count) {
      throw new Error(`${made?.succeeded ?? 0} of ${count} deliveries succeeded in ${made?.attempts ?? 0} attempts`);
    }
    return (state.at.getTime() - (since ?? made.first).getTime()) / 1000;
  });
}
