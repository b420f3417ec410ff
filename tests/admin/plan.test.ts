import { MATRIX } from "../support/matrix.ts";
import type { BrowserContextOptions } from "playwright";
import { afterAll, afterEach, beforeAll, expect as expectValue, test } from "vitest";
import { z } from "zod";
import { openStore, productAt, type LiveStore } from "../e2e/fixtures/live-store.ts";
import { COLLECTION, expect, heartOf, press, share, Visitor, WISHLIST } from "../e2e/fixtures/visitor.ts";
import { DESKTOP } from "../support/browser/browser.ts";
import { until } from "../support/until.ts";
import {
  cancelModal,
  enter,
  expectAccessible,
  expectAccessibleOnAllSizes,
  inModal,
  pathOf,
  type Admin,
} from "./fixtures.ts";

let store: LiveStore;
let token: string;
const visitors: Visitor[] = [];

/** Opens a browser profile. The test fails when its pages report errors. */
async function arrive(options: BrowserContextOptions = {}): Promise<Visitor> {
  const visitor = await Visitor.arrive(store, options);
  visitors.push(visitor);
  return visitor;
}

beforeAll(async () => {
  // The tests change the plan, so they need a separate store.
  store = await openStore();
  token = await store.token();
});
afterEach(async () => {
  await store.control("reset");
  await Promise.all(visitors.map((one) => one.leave()));
  for (const visitor of visitors.splice(0)) visitor.expectNoComplaints();
});
afterAll(() => store.close());

async function planNow(): Promise<string | undefined> {
  return (await store.database.rows<{ plan: string }>("SELECT plan FROM shop"))[0]?.plan;
}

const chargesSchema = z.object({
  subscriptions: z.array(z.object({ name: z.string(), status: z.string(), test: z.boolean(), trialDays: z.int() })),
});

/** Returns the audit log's entries about plans, oldest first. */
function planEntries(): Promise<{ action: string; staff_id: string | null; details: unknown }[]> {
  return store.database.rows("SELECT action, staff_id, details FROM audit WHERE area = 'plan' ORDER BY id");
}

const apiShare = (customer: string) => store.call("GET", `/v1/wishlists/${customer}/share`, { token });

async function subscribe({ app, page }: Admin, label: string, decision: "Approve" | "Decline"): Promise<void> {
  await app.getByRole("button", { name: label }).click();
  await page.getByRole("button", { name: decision }).click();
}

async function downgrade(admin: Admin): Promise<void> {
  const { app } = admin;
  await app.getByRole("button", { name: "Downgrade to Free" }).click();
  await inModal(admin, "Downgrade").click();
  await expect(app.getByRole("button", { name: "Upgrade to Starter" })).toBeVisible();
}

test("a downgrade to Free disables new share links and keeps existing ones", async () => {
  const json = { product_id: productAt(0).productId };
  (await store.call("POST", "/v1/wishlists/c-1/items", { token, json })).data();
  const { shareToken } = (await apiShare("c-1")).data<{ shareToken: string }>();
  const admin = await enter(await arrive(), "/app/plan");
  const { app, page } = admin;
  await expect(app.getByText("Current plan")).toBeVisible();
  await app.getByRole("button", { name: "Downgrade to Free" }).click();
  await expect(app.getByText("Your share link, until it expires")).toBeVisible();
  await cancelModal(admin);
  // What a move to Starter stops, too.
  await app.getByRole("button", { name: "Downgrade to Starter" }).click();
  await expect(app.locator("#downgrade").getByText("Alerts, which are all off now")).toBeVisible();
  await cancelModal(admin);
  expectValue(await planNow()).toBe("growth");

  // A webhook of Shopify's that arrives before the response to the downgrade is the one that changes the plan, and knows no staff member.
  await store.control("faults", { faults: { webhooks: "never" } });
  await downgrade(admin);
  await expect(page.getByText("You're now on the Free plan")).toBeVisible();
  expectValue(await planNow()).toBe("free");
  await until("the gate", async () => (await apiShare("c-2")).status === 403);
  expectValue((await apiShare("c-2")).body).toMatchObject({
    error: { code: "plan_required", details: { requiredPlan: "starter" } },
  });
  expectValue((await store.call("GET", `/v1/wishlists/shared/${shareToken}`)).status).toBe(200);
  // The store's page offers no sharing, and the admin names the required plan.
  const shopper = await arrive();
  await shopper.startSession(store.newCustomer());
  const shop = await shopper.context.newPage();
  await shopper.visit(shop, COLLECTION);
  await press(heartOf(shop, productAt(0).handle));
  await shopper.visit(shop, WISHLIST);
  await expect(shop.getByRole("button", { name: "Share", exact: true })).toHaveCount(0);
  await admin.open("/app/wishlists");
  await app
    .getByRole("link", { name: /^Customer / })
    .first()
    .click();
  await expect(app.getByRole("button", { name: "Create link" })).toBeDisabled();
  await expect(app.getByText("Starter plan", { exact: true })).toBeVisible();
  await expectAccessible(admin);
  await app.getByRole("link", { name: "Compare plans" }).click();
  await expect.poll(() => pathOf(admin)).toBe("/app/plan");
});

// Continues with the plan of the previous test.
test("an approved upgrade enables sharing before Shopify's webhook arrives", async () => {
  await store.control("faults", { faults: { webhooks: "never" } });
  const admin = await enter(await arrive(), "/app/plan");
  const { app, page } = admin;
  await expect(app.getByText("every 30 days after a 14-day free trial").first()).toBeVisible();
  await Promise.all([
    // The toast lasts five seconds, and the click returns when its navigation is over: on a busy machine that is later.
    page.getByText("You're now on the Starter plan").waitFor({ timeout: 60_000 }),
    subscribe(admin, "Upgrade to Starter", "Approve"),
  ]);
  await expect(app.getByRole("button", { name: "Upgrade to Growth" })).toBeVisible();
  await expect(app.getByText("Your free trial ends on")).toBeVisible();
  await expect.poll(() => pathOf(admin)).toBe("/app/plan");
  // Charges in a development store are tests. Shopify counts the trial.
  const { subscriptions } = chargesSchema.parse(await (await fetch(`${store.devstoreUrl}/devstore/api/state`)).json());
  expectValue(subscriptions.map(({ name, status }) => `${name} ${status}`)).toEqual([
    "Growth CANCELLED",
    "Starter ACTIVE",
  ]);
  expectValue(subscriptions.at(-1)).toMatchObject({ test: true, trialDays: 14 });
  await until("the gate", async () => (await apiShare("c-2")).status === 200);
  const shopper = await arrive();
  await shopper.startSession(store.newCustomer());
  const shop = await shopper.context.newPage();
  await shopper.visit(shop, COLLECTION);
  await press(heartOf(shop, productAt(0).handle));
  await shopper.visit(shop, WISHLIST);
  const link = await share(shop);
  expectValue((await fetch(link.replace(store.url, store.devstoreUrl))).status).toBe(200);
  expectValue(await planEntries()).toEqual([
    { action: "plan.changed", staff_id: null, details: { from: "free", to: "growth" } },
    { action: "plan.changed", staff_id: "90210000001", details: { from: "growth", to: "free" } },
    { action: "plan.requested", staff_id: "90210000001", details: { from: "free", to: "starter" } },
    { action: "plan.changed", staff_id: "90210000001", details: { from: "free", to: "starter" } },
  ]);
});

test("a declined, expired or forged charge does not change the plan", async () => {
  const visitor = await arrive();
  const admin = await enter(visitor, "/app/plan");
  const { app } = admin;
  await subscribe(admin, "Upgrade to Growth", "Decline");
  await expect(app.getByText("The Growth plan wasn't started")).toBeVisible();
  await expectAccessible(admin);
  await app.getByRole("button", { name: "Upgrade to Growth" }).click();
  await expect(admin.page.getByRole("button", { name: "Approve" })).toBeVisible();
  await store.control("expire-subscription");
  for (const query of [
    "wanted=growth",
    "wanted=growth&charge_id=29100000001",
    "wanted=free",
    "wanted=%00",
    "plan=growth",
  ]) {
    await admin.open(`/app/plan?${query}`);
    await expect(app.getByRole("button", { name: "Upgrade to Growth" })).toBeVisible();
  }
  const responses = await app.locator("body").evaluate(async () => {
    const send = async (fields: Record<string, string>) =>
      (await fetch("/app/plan.data", { method: "POST", body: new URLSearchParams(fields) })).text();
    return Promise.all([
      send({ intent: "subscribe", plan: "free" }),
      send({ intent: "subscribe", plan: "x".repeat(10_000) }),
      send({ intent: "subscribe", plan: "growth", price: "0" }),
      send({ intent: "subscribe" }),
    ]);
  });
  for (const response of responses) expectValue(response).not.toContain("confirm_recurring");
  expectValue(await planNow()).toBe("starter");
});

test("a frozen subscription falls back to Free until it is paid", async () => {
  await store.control("faults", { faults: { webhooks: "twice" } });
  await store.control("freeze-subscription");
  await until("the free plan", async () => (await planNow()) === "free");
  const admin = await enter(await arrive(), "/app/plan");
  await expect(admin.app.getByText("Your Starter subscription is frozen")).toBeVisible();
  await expect(admin.app.getByText("Frozen", { exact: true })).toBeVisible();
  await expect(admin.app.getByRole("link", { name: "Open billing in Shopify" })).toBeVisible();
  await expectAccessible(admin);
  await expect(admin.app.getByRole("button", { name: /^(?:Up|Down)grade to/ })).toHaveCount(0);
  // Other pages say it where the plan is needed, and lead to this one.
  await admin.open("/app/wishlists");
  await admin.app
    .getByRole("link", { name: /^Customer / })
    .first()
    .click();
  await expect(admin.app.getByText("Starter plan frozen", { exact: true })).toBeVisible();
  await expect(admin.app.getByText("because your Starter subscription is frozen")).toBeVisible();
  await expect(admin.app.getByRole("link", { name: "View plan", exact: true })).toHaveAttribute("href", "/app/plan");
  await expectAccessible(admin);
  await store.control("unfreeze-subscription");
  await until("the plan", async () => (await planNow()) === "starter");
  await admin.open("/app/plan");
  await expect(admin.app.getByText("subscription is frozen")).toHaveCount(0);
  const changes = (await planEntries()).slice(-2);
  expectValue(changes.map(({ staff_id, details }) => ({ staff_id, details }))).toEqual([
    { staff_id: null, details: { from: "starter", to: "free" } },
    { staff_id: null, details: { from: "free", to: "starter" } },
  ]);
});

test("the plan page reports that Shopify can't be reached", MATRIX, async () => {
  await store.database.rows("UPDATE shop SET plan = 'starter'");
  const admin = await enter(await arrive(), "/app/plan");
  const { app } = admin;
  await store.control("faults", { faults: { graphql: "error" } });
  await app.getByRole("button", { name: "Upgrade to Growth" }).click();
  await expect(app.getByText("Your plan wasn't changed")).toBeVisible();
  await expectAccessible(admin);
  await admin.open("/app/plan?wanted=growth");
  await expect(app.getByText("Your plan couldn't be checked with Shopify")).toBeVisible();
  await expectAccessible(admin);
  expectValue(await planNow()).toBe("starter");
});

test("the plans' buttons align on a desktop", MATRIX, async () => {
  // The neighboring plans have different numbers of features.
  await store.database.rows("UPDATE shop SET plan = 'starter'");
  const { app } = await enter(await arrive({ viewport: DESKTOP }), "/app/plan");
  const buttons = app.getByRole("button", { name: /^(?:Up|Down)grade to/ });
  await expect(buttons).toHaveCount(2);
  const places = await Promise.all((await buttons.all()).map((button) => button.boundingBox()));
  expectValue(new Set(places.map((box) => box && Math.round(box.y + box.height))).size).toBe(1);
});

test("the plans and the downgrade confirmation are accessible and fit phones and desktops", MATRIX, async () => {
  const admin = await enter(await arrive(), "/app/plan");
  await expectAccessibleOnAllSizes(admin);
  await admin.app.getByRole("button", { name: "Downgrade to Free" }).click();
  await expect(admin.app.getByText("New share links, in your store and through the API")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
});

// Shopify ends the charge with the installation. The last test, because it ends the session of the others.
test("a reinstalled app is on the Free plan until the merchant approves a new charge", async () => {
  const visitor = await arrive();
  const admin = await enter(visitor, "/app/plan");
  const { app, page } = admin;
  if ((await planNow()) === "free") await subscribe(admin, "Upgrade to Starter", "Approve");
  await expect.poll(planNow).toBe("starter");
  await store.control("uninstall");
  await store.control("await-deliveries");
  await page.goto("https://admin.shopify.com/store/larkfell-outdoor/apps/headless-wishlist");
  await page.getByRole("button", { name: "Install" }).click();
  await expect(app.getByRole("heading", { name: "Setup guide" })).toBeVisible();
  await expect.poll(planNow).toBe("free");

  await admin.open("/app/plan");
  await app.getByRole("button", { name: "Upgrade to Starter" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect.poll(planNow).toBe("starter");
  const { subscriptions } = chargesSchema.parse(await (await fetch(`${store.devstoreUrl}/devstore/api/state`)).json());
  const charges = subscriptions.filter(({ name }) => name === "Starter");
  expectValue(charges.map(({ status }) => status)).toEqual(["CANCELLED", "ACTIVE"]);
});
