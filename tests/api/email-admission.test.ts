import { expect } from "vitest";
import { admit } from "../../app/email/admission.server.ts";
import { turnOn } from "../support/app/alerts.ts";
import { test } from "../support/app/fixtures.ts";

const AT = new Date("2026-11-20T10:00:00Z");
const message = (customerId: string, more: { limit?: number; alertedAt?: Date } = {}) => ({
  customerId,
  address: `${customerId}@example.com`,
  kinds: ["price_dropped", "low_stock"] as const,
  alertedAt: AT,
  limit: 3,
  ...more,
});

test.beforeAll(({ shop }) => turnOn(shop.id, ["price_dropped"], { mode: "merchant_managed" }));

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
