import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { admit } from "../../app/email/admission.server.ts";
import { recordMailReport } from "../../app/email/index.server.ts";
import { provideEnv } from "../../app/platform/process/env.server.ts";
import { recordAttempts } from "../../app/webhooks/delivery/queue.server.ts";
import { turnOn } from "../support/app/alerts.ts";
import { test } from "../support/app/fixtures.ts";
import { serviceEnv } from "../support/app/service.ts";

const AT = new Date("2026-11-20T10:00:00Z");
const message = (customerId: string, more: { limit?: number; alertedAt?: Date } = {}) => ({
  customerId,
  address: `${customerId}@example.com`,
  kinds: ["price_dropped", "low_stock"] as const,
  alertedAt: AT,
  limit: 3,
  batchId: randomUUID(),
  deliveryIds: [],
  ...more,
});

test.beforeAll(async ({ app, shop }) => {
  // Addresses are sealed here, too.
  provideEnv(serviceEnv(app.database.url));
  await turnOn(shop.id, ["price_dropped"], { mode: "merchant_managed" });
});

test("messages that are checked at the same time each have the result of their own customer", async ({ app, shop }) => {
  await app.database.rows(
    `INSERT INTO alert_consent (shop_id, customer_id, kind, given, at, source)
     VALUES ($1, 'z-withdrawn', 'price_dropped', false, now(), 'api')`,
    [shop.id],
  );
  const ids = ["z-withdrawn", "wants", "a-wants"];
  const results = await Promise.all([
    ...ids.map((id) => admit(shop.id, message(id))),
    admit(shop.id, message("wants", { limit: 1, alertedAt: new Date(AT.getTime() + 1_000) })),
    admit(shop.id, { ...message("no-kinds"), kinds: [] }),
  ]);
  const wanted = ["price_dropped"];
  expect(results).toEqual(["not_wanted", wanted, wanted, "limit_reached", "not_wanted"]);
  const counted = await app.database.rows<{ customer_id: string }>(
    "SELECT customer_id FROM email_message WHERE shop_id = $1 ORDER BY customer_id",
    [shop.id],
  );
  expect(counted.map((row) => row.customer_id)).toEqual(["a-wants", "wants"]);
});

test("a message that was counted before is admitted again, and not counted twice", async ({ app, shop }) => {
  for (let attempt = 1; attempt <= 2; attempt++)
    expect(await admit(shop.id, message("again", { limit: 1 }))).toEqual(["price_dropped"]);
  expect(
    await app.database.rows("SELECT 1 FROM email_message WHERE shop_id = $1 AND customer_id = 'again'", [shop.id]),
  ).toHaveLength(1);
});

test("a report about a message whose attempt is not recorded yet fails its deliveries for good", async ({
  app,
  shop,
}) => {
  const [deliveryId, batchId] = [randomUUID(), randomUUID()];
  await app.database.rows(
    `WITH event AS (
       INSERT INTO webhook_event (shop_id, id, event, at, customer_id) VALUES ($1, $2, 'wishlist.alert.price_dropped', $3, 'early')
     )
     INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status, next_attempt_at, created_at)
     VALUES ($1, $2, 'email', $2, 'wishlist.alert.price_dropped', 'event', 3, 'pending', now(), now())`,
    [shop.id, deliveryId, AT],
  );
  // A redelivery has the moment of the first message and an id of its own.
  await admit(shop.id, message("early"));
  await admit(shop.id, { ...message("early"), batchId, deliveryIds: [deliveryId] });
  const message_id = `<batch_${batchId.replaceAll("-", "")}.${shop.id}@mail.example.com>`;
  const report = { message_id, recipient: "early@example.com", kind: "bounce", reason: "550 5.1.1 unknown" } as const;
  expect(await recordMailReport(report)).toBe("suppressed");

  const accepted = { status: 250, error: null, response: "250 OK", durationMs: 1, url: null, waitMs: 0 };
  await recordAttempts([
    { ...accepted, shopId: shop.id, deliveryId, number: 1, at: AT, outcome: "succeeded", batchId },
  ]);
  expect(await recordMailReport(report)).toBe("suppressed");
  expect(
    await app.database.rows(
      `SELECT d.status, d.attempts, a.error FROM webhook_delivery d JOIN webhook_attempt a ON a.shop_id = d.shop_id AND a.delivery_id = d.id
        WHERE d.shop_id = $1 AND d.id = $2`,
      [shop.id, deliveryId],
    ),
  ).toEqual([{ status: "failed", attempts: 1, error: "the email came back: 550 5.1.1 unknown" }]);
  expect(await admit(shop.id, { ...message("early"), alertedAt: new Date() })).toBe("suppressed");
});
