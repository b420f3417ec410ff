import { text } from "node:stream/consumers";
import { expect as expectValue } from "vitest";
import { test } from "../e2e/fixtures/journey.ts";
import { productAt, type LiveStore } from "../e2e/fixtures/live-store.ts";
import { expect } from "../e2e/fixtures/visitor.ts";
import { storeMoment } from "../support/app/alert-moments.ts";
import { turnOn } from "../support/app/alerts.ts";
import { enter, expectAccessibleOnAllSizes, save } from "./fixtures.ts";
import { MATRIX } from "../support/matrix.ts";

const ALERTS = "/app/alerts";

test("saved alert settings appear after a reload and in the audit log", async ({ visitor, store }) => {
  const admin = await enter(visitor, ALERTS);
  const { app, page } = admin;
  await expect(app.getByText("Alerts are off")).toBeVisible();
  await app.getByRole("checkbox", { name: "Price drops" }).check();
  await app.getByLabel("Smallest price drop").fill("15");
  await app.getByText("All customers who saved the product").click();
  await expect(app.getByText("You are responsible for the consent")).toBeVisible();
  await save(admin.page);
  await expect(page.getByText("Alert settings saved")).toBeVisible();
  await expect(app.getByText("Some alerts have no receiver")).toBeVisible();
  await expect(app.getByRole("link", { name: "Use Shopify Flow (no code)" })).toBeVisible();
  await app.getByRole("link", { name: "Add a webhook" }).click();
  await expect(app.getByRole("checkbox", { name: "Alert: price drop" })).toBeChecked();
  await expect(app.getByRole("checkbox", { checked: true })).toHaveCount(1);
  await expect(app.getByRole("group").filter({ hasText: "Alert: price drop" })).toContainText("Alerts");
  await expectAccessibleOnAllSizes(admin);
  await admin.go(ALERTS);
  await expect(app.getByLabel("Smallest price drop")).toHaveValue("15");
  await expect(app.getByRole("checkbox", { name: "Price drops" })).toBeChecked();
  expectValue(
    await store.database.rows("SELECT details->>'name' AS name, details->>'to' AS to FROM audit ORDER BY id"),
  ).toEqual([
    { name: "the kinds of alerts", to: "price dropped" },
    { name: "the consent for alerts", to: "merchant managed" },
    { name: "the threshold of price drops in percent", to: "15" },
  ]);
  await expectAccessibleOnAllSizes(admin);
});

test("alert settings that another tab has changed are not overwritten", MATRIX, async ({ visitor }) => {
  const one = await enter(visitor, ALERTS);
  const two = await enter(visitor, ALERTS);
  await one.app.getByLabel("Smallest price drop").fill("15");
  await save(one.page);
  await expect(one.page.getByText("Alert settings saved")).toBeVisible();
  await two.app.getByLabel("Smallest price drop").fill("20");
  await save(two.page);
  await expect(two.app.getByText("Your settings weren't saved")).toBeVisible();
});

test("a channel that is set up for an alert that is off is not shown as on", MATRIX, async ({ visitor, store }) => {
  await turnOn(await store.shopId(), ["price_dropped"]);
  const json = { url: "https://crm.example.com/hook", events: ["wishlist.alert.reminder_due"] };
  (await store.call("POST", "/v1/webhooks", { token: await store.token(), json })).data();
  const admin = await enter(visitor, ALERTS);
  const { app, page } = admin;
  const on = app.getByText("On", { exact: true });
  await expect(app.getByText("Set up for alerts that are off: Reminders")).toBeVisible();
  await expect(on).toHaveCount(0);
  await expectAccessibleOnAllSizes(admin);
  await app.getByRole("checkbox", { name: "Reminders" }).check();
  await save(page);
  await expect(on).toHaveCount(1);
});

/** Stores a price drop with an alert that was sent, opened and led to a purchase, and one that was not sent; and one about low stock. */
async function storeAlerts(store: LiveStore): Promise<void> {
  const { productId, variants } = productAt(0);
  const variantId = variants[0]?.variantId ?? "";
  const { database } = store;
  const shopId = await store.shopId();
  const at = new Date(Date.now() - 3_600_000);
  await storeMoment(database, shopId, {
    ...{ productId, at, price: "79", oldPrice: "99" },
    alerts: [
      { customerId: "7012503486663", variantId, did: ["opened", "carted", "bought"] },
      { customerId: "7012503486664", variantId, reason: "cool_down" },
    ],
  });
  await storeMoment(database, shopId, {
    ...{ productId: productAt(1).productId, at, kind: "low_stock" },
    alerts: [{ customerId: "7012503486664", variantId: productAt(1).variants[0]?.variantId ?? "", status: "pending" }],
  });
  const order = [shopId, "7012503486663", productId, variantId];
  await database.rows(
    `INSERT INTO store_order (shop_id, order_id, customer_id, reported_at, ordered_at, currency, counted)
     SELECT s.id, '9', $2, now(), now(), s.currency, true FROM shop s WHERE s.id = $1`,
    order.slice(0, 2),
  );
  await database.rows(
    `INSERT INTO order_line (shop_id, order_id, line_id, customer_id, product_id, variant_id, saved_at, ordered_at, units, revenue)
     VALUES ($1, '9', '1', $2, $3, $4, now() - interval '2 days', now(), 1, 79.00)`,
    order,
  );
}

test("the results of alerts are a funnel of customers with rates, revenue and reasons", async ({ visitor, store }) => {
  await storeAlerts(store);
  const admin = await enter(visitor, ALERTS);
  const { app } = admin;
  const results = app.getByRole("table", { name: "Alerts by kind" });
  const row = (name: string) => results.getByRole("row", { name });
  // Kind, asked, sent, not sent, visited, in cart, bought, revenue.
  await expect(row("Price drops").getByRole("cell")).toHaveText([
    ...["Price drops", /^1/, /^1100%/, /^1/, /^1100%, 1 opened$/, /^1100%$/, /^1100%$/, /79\.00/],
  ]);
  // Of all alerts, one of this customer waits, so it is not known yet whether one will be sent.
  await expect(row("All alerts").getByRole("cell").nth(3)).toHaveText(/^0/);
  // Without permission to read orders, what was counted before stays.
  await expect(app.getByText("Further purchases aren't counted")).toBeVisible();
  await expect(app.getByRole("button", { name: "Allow access to orders" })).toBeVisible();
  await app.getByRole("button", { name: "Why alerts were not sent" }).click();
  const reasons = app.getByRole("table", { name: "Reasons why alerts were not sent" });
  await expect(reasons.getByRole("row", { name: "The customer got another alert" }).getByRole("cell")).toHaveText([
    ...[/The customer got another alert/, "1", "0", "0"],
  ]);
  await expectAccessibleOnAllSizes(admin);
  await row("Price drops").getByRole("link").nth(1).click();
  await expect(app.getByLabel("Outcome")).toHaveValue("suppressed");
});

test("the alert log has a row for each moment, which opens its customers, and keeps its filters", async ({
  visitor,
  store,
}) => {
  const { title } = productAt(0);
  await storeAlerts(store);
  const admin = await enter(visitor, `${ALERTS}/log`);
  const { app, page } = admin;
  const rows = app.getByRole("table", { name: "Alerts" }).locator("tbody tr");
  await expect(rows).toHaveCount(2);
  await app.getByLabel("Kind").selectOption("low_stock");
  await expect(rows).toHaveCount(1);
  // Without permission to read orders and without what was counted before, purchases are unknown, not zero.
  await expect(app.getByRole("columnheader", { name: "Bought" })).toHaveCount(0);
  await expect(app.getByText("Purchases aren't counted, because this app may not read orders.")).toBeVisible();
  await app.getByLabel("Kind").selectOption("");
  await expect(rows).toHaveCount(2);
  await app.getByLabel("Product").fill(title.toUpperCase());
  await app.getByRole("button", { name: "Search" }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(title);
  await expect(rows).toContainText(/Price drops: .*99\.00 → .*79\.00/);
  await expect(
    rows
      .getByRole("cell")
      .filter({ hasText: /79\.00$/ })
      .last(),
  ).toBeVisible();
  // A choice is kept by the next one, even when its page is never shown.
  const unanswered = new Promise<void>((resolve) => void page.route(/\.data\?.*kind=price_dropped$/, () => resolve()));
  await app.getByLabel("Kind").selectOption("price_dropped");
  await unanswered;
  await app.getByLabel("First day").fill("2026-01-01");
  await app.getByRole("button", { name: "Show dates" }).click();
  await expect.poll(() => page.url()).toContain("from=2026-01-01");
  expectValue(page.url()).toContain("kind=price_dropped");
  await expect(rows).toHaveCount(1);
  await expectAccessibleOnAllSizes(admin);
  const filtered = page.url();

  await app.getByRole("link", { name: title }).click();
  const customers = app.getByRole("table", { name: "Customers" }).locator("tbody tr");
  await expect(customers).toHaveCount(2);
  await expect(customers.filter({ hasText: "Not sent" })).toContainText(
    "The customer got another alert about the product shortly before.",
  );
  await app.getByLabel("Outcome").selectOption("bought");
  await expect(customers).toHaveCount(1);
  await expect(customers).toContainText(/Opened the link, visited, added to cart, bought for .*79\.00/);
  await expectAccessibleOnAllSizes(admin);
  await page.goBack();
  await page.goBack();
  await expect.poll(() => page.url()).toBe(filtered);
  await expect(rows).toHaveCount(1);
  await expect(app.getByLabel("Kind")).toHaveValue("price_dropped");
});

test("an alert log without any alerts has no filters", MATRIX, async ({ visitor }) => {
  const { app } = await enter(visitor, `${ALERTS}/log`);
  await expect(app.getByText("No alerts yet")).toBeVisible();
  await expect(app.getByLabel("Outcome")).toHaveCount(0);
});

test("the alert log exports the customers that its filters find as CSV", async ({ visitor, store }) => {
  await storeAlerts(store);
  const { app, page } = await enter(visitor, `${ALERTS}/log?status=suppressed`);
  const downloading = page.waitForEvent("download");
  await app.getByRole("button", { name: "Export CSV: alerts by customer" }).click();
  const download = await downloading;
  expectValue(download.suggestedFilename()).toMatch(/^wishlist-alerts-larkfell-outdoor-[\d-]+\.csv$/);
  const lines = (await text(await download.createReadStream())).trimEnd().split("\r\n");
  expectValue(lines).toHaveLength(2);
  expectValue(lines[1]).toContain(",7012503486664,suppressed,cool_down,");
});

test(
  "a plan without alerts offers them with the shop's figures and keeps results readable",
  MATRIX,
  async ({ visitor, store }) => {
    const { productId, title, variants } = productAt(0);
    const [variant] = variants;
    await storeAlerts(store);
    await store.database.rows("UPDATE variant SET available = variant_id <> $1", [variant?.variantId]);
    const save = "SELECT wishlist_add(id, $1, $2, $3, $4, 'api', now()) FROM shop";
    for (const [kind, owner] of [
      ["customer", "a"],
      ["customer", "b"],
      ["guest", "c"],
    ]) {
      await store.database.rows(save, [kind, owner, productId, variant?.variantId]);
    }
    await store.database.rows(
      "INSERT INTO alert_settings (shop_id, version) SELECT id, 1 FROM shop ON CONFLICT DO NOTHING",
    );
    await store.database.rows("UPDATE shop SET plan = 'starter'");
    try {
      const admin = await enter(visitor, ALERTS);
      const { app } = admin;
      await expect(app.getByText(`3 people saved ${title}`)).toContainText(
        "which is sold out. 2 of them are customers, whom an alert could reach.",
      );
      await expect(app.getByText("Alerts require the Growth plan.")).toBeVisible();
      await expect(app.getByRole("checkbox")).toHaveCount(0);
      await expect(app.getByRole("table", { name: "Alerts by kind" })).toBeVisible();
      await expectAccessibleOnAllSizes(admin);
      await app.getByRole("link", { name: "View alerts" }).click();
      await expect(app.getByRole("table", { name: "Alerts" })).toBeVisible();
      await app.getByRole("link", { name: title }).click();
      await expect(app.getByRole("table", { name: "Customers" })).toBeVisible();
      await store.database.rows("DELETE FROM alert");
      await admin.go(ALERTS);
      // Settings say that alerts were in use, so the results of a quiet month are shown as well.
      await expect(app.getByRole("table", { name: "Alerts by kind" })).toBeVisible();
    } finally {
      await store.database.rows("UPDATE shop SET plan = 'growth'");
      await store.database.rows("UPDATE variant SET available = true");
    }
  },
);

test(
  "a plan without alerts shows an example of an email in place of a form that can't be saved",
  MATRIX,
  async ({ visitor, store }) => {
    await store.database.rows("UPDATE shop SET plan = 'starter'");
    try {
      const admin = await enter(visitor, `${ALERTS}/email`);
      const { app } = admin;
      await expect(app.getByText("Emails require the Growth plan")).toBeVisible();
      await expect(app.getByText("now costs")).toBeVisible();
      await expect(app.getByLabel("Sender's name")).toHaveCount(0);
      await expectAccessibleOnAllSizes(admin);
    } finally {
      await store.database.rows("UPDATE shop SET plan = 'growth'");
    }
  },
);

test(
  "alerts of a frozen subscription say so, and lead to the bill in place of another plan",
  MATRIX,
  async ({ visitor, store }) => {
    await store.database.rows("UPDATE shop SET plan = 'free'");
    await store.database.rows("UPDATE billing SET plan = 'growth', status = 'frozen'");
    try {
      const admin = await enter(visitor, ALERTS);
      const { app } = admin;
      for (const path of [ALERTS, `${ALERTS}/email`]) {
        await admin.go(path);
        await expect(app.getByText("Your Growth subscription is frozen")).toBeVisible();
        await expect(app.getByRole("link", { name: "Open billing in Shopify" })).toHaveAttribute(
          "href",
          "shopify://admin/settings/billing",
        );
        await expect(app.getByRole("link", { name: /plans$/ })).toHaveCount(0);
        await expectAccessibleOnAllSizes(admin);
      }
      for (const [path, text] of [
        ["/app", "No alerts are sent, because your Growth subscription is frozen."],
        ["/app/settings", "Named lists are off, because your Growth subscription is frozen."],
        [`${ALERTS}/klaviyo`, "Events about alerts are off, because your Growth subscription is frozen."],
      ] as const) {
        await admin.go(path);
        await expect(app.getByText(text)).toBeVisible();
        await expect(app.getByRole("link", { name: "View plan", exact: true }).last()).toHaveAttribute(
          "href",
          "/app/plan",
        );
      }
    } finally {
      await store.database.rows("UPDATE shop SET plan = 'growth'");
      await store.database.rows("UPDATE billing SET status = 'active'");
    }
  },
);

test(
  "results and channels that can't be read offer a retry, and the settings can be saved",
  MATRIX,
  async ({ visitor, store }) => {
    await store.database.rows("ALTER TABLE alert_consent RENAME TO mislaid_consent");
    await store.database.rows("ALTER TABLE flow_trigger RENAME TO mislaid_trigger");
    const admin = await enter(visitor, ALERTS);
    const { app, page } = admin;
    try {
      await expect(app.getByText("This section couldn't be loaded")).toHaveCount(2);
      await expectAccessibleOnAllSizes(admin);
      await app.getByRole("checkbox", { name: "Reminders" }).check();
      await save(page);
      await expect(page.getByText("Alert settings saved")).toBeVisible();
      // The page loads its data anew, which is to fail as well.
      await admin.quiet();
    } finally {
      await store.database.rows("ALTER TABLE mislaid_consent RENAME TO alert_consent");
      await store.database.rows("ALTER TABLE mislaid_trigger RENAME TO flow_trigger");
    }
    await app.getByRole("button", { name: "Try again" }).first().click();
    await expect(app.getByText("This section couldn't be loaded")).toHaveCount(0);
    await expect(app.getByRole("table", { name: "Alerts by kind" })).toBeVisible();
  },
);
