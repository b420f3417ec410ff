import { z } from "zod";
import { ALERT_KINDS } from "../../../app/alerts/kinds.ts";
import { exampleBody } from "../../../app/webhooks/index.server.ts";

/** What staff enter on the page of emails, with no kind on. */
export const EMAIL_FORM = {
  senderName: "Lamps & more",
  replyTo: "help@lamps.example",
  postalAddress: "Lamps Ltd\n1 Long Lane",
  accent: "#1f6f54",
  logoUrl: "",
  weeklyLimit: "3",
  ...Object.fromEntries(
    ALERT_KINDS.flatMap((kind) => [
      [`subject_${kind}`, ""],
      [`introduction_${kind}`, ""],
    ]),
  ),
  version: "0",
};

const EVENT = "wishlist.alert.price_dropped";

const exampleSchema = z.object({
  data: z.looseObject({ customerId: z.unknown(), productId: z.unknown(), variantId: z.unknown(), listId: z.unknown() }),
});

/** Runs SQL. */
type Query = (sql: string, values: unknown[]) => Promise<unknown>;

/**
 * Stores alerts about lower prices, with deliveries by each channel that is on. Those of a customer have the same moment.
 * @param alerts number of alerts of each customer
 */
export async function emitPriceAlerts(
  query: Query,
  shopId: number,
  customerIds: readonly string[],
  alerts = 1,
): Promise<void> {
  const {
    customerId: _,
    productId: _1,
    variantId: _2,
    listId: _3,
    ...data
  } = exampleSchema.parse(exampleBody(EVENT)).data;
  const at = new Date().toISOString();
  const events = customerIds.flatMap((customerId) =>
    Array.from({ length: alerts }, (_4, n) => ({
      ...{ event: EVENT, at, customer_id: customerId, product_id: String(n + 1), variant_id: String(n + 1) },
      data: { ...data, customer: null },
    })),
  );
  await query("SELECT event_emit($1, $2)", [shopId, JSON.stringify(events)]);
}
