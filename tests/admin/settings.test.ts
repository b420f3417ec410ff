import { MATRIX } from "../support/matrix.ts";
import { text as textOf } from "node:stream/consumers";
import { expect as expectValue } from "vitest";
import { test } from "../e2e/fixtures/journey.ts";
import type { LiveStore } from "../e2e/fixtures/live-store.ts";
import { expect } from "../e2e/fixtures/visitor.ts";
import { csvFile, SAVED_AT } from "../support/app/imports.ts";
import {
  clickTwice,
  endSession,
  enter,
  expectAccessible,
  expectAccessibleOnAllSizes,
  pathOf,
  renewSession,
  save,
  type Admin,
} from "./fixtures.ts";

const SETTINGS = "/app/settings";
const DATA = "/app/settings/data";
const PRIVACY = "/app/settings/privacy";

/** Restores the default settings, because the tests share a shop. */
async function resetSettings({ database }: LiveStore): Promise<void> {
  await database.rows(
    "UPDATE shop SET share_link_days = 30, item_cap = 2500, guest_lists = true, guest_retention_days = 90, named_lists = true, settings_version = 0, time_zone_chosen = false",
  );
}

async function addRequests({ database }: LiveStore, count: number): Promise<void> {
  await database.rows(
    `INSERT INTO privacy_request (shop_id, id, kind, webhook_id, status, requested_at, due_at, completed_at)
     SELECT s.id, 'prq_' || n, CASE n % 2 WHEN 0 THEN 'redact' ELSE 'data_request' END, 'w' || n,
            CASE n % 3 WHEN 0 THEN 'pending' ELSE 'completed' END, now() - n * interval '1 day', now() + (30 - n) * interval '1 day',
            CASE n % 3 WHEN 0 THEN NULL ELSE now() END
       FROM shop s, generate_series(1, $1::integer) n`,
    [count],
  );
}

test("saved settings appear after a reload", async ({ visitor, store }) => {
  await resetSettings(store);
  const admin = await enter(visitor, SETTINGS);
  const { app, page } = admin;
  await app.getByLabel("Maximum items per wishlist").fill("100");
  await app.getByText("Customers only").click();
  await save(page);
  await expect(page.getByText("Settings saved")).toBeVisible();
  await expect(page.locator("#save-bar")).toBeHidden();
  expectValue(
    await store.database.rows("SELECT item_cap, guest_lists, settings_version, time_zone_chosen FROM shop"),
  ).toEqual([{ item_cap: 100, guest_lists: false, settings_version: 1, time_zone_chosen: false }]);
  await admin.reload();
  await expect(app.getByLabel("Maximum items per wishlist")).toHaveValue("100");
  await expect(app.getByLabel("Customers only")).toBeChecked();
  await resetSettings(store);
});

test("the switch of named lists is saved, and disabled on a plan without them", MATRIX, async ({ visitor, store }) => {
  await resetSettings(store);
  const admin = await enter(visitor, SETTINGS);
  const { app, page } = admin;
  const named = app.getByRole("checkbox", { name: "Offer named lists in your store" });
  await named.uncheck();
  await save(page);
  await expect(page.getByText("Settings saved")).toBeVisible();
  expectValue(await store.database.rows("SELECT named_lists FROM shop")).toEqual([{ named_lists: false }]);
  await resetSettings(store);
  await store.database.rows("UPDATE shop SET plan = 'starter'");
  await admin.reload();
  await expect(named).toBeDisabled();
  await expect(app.getByText("Named lists require the Growth plan.")).toBeVisible();
  await expectAccessible(admin);
  await store.database.rows("UPDATE shop SET plan = 'growth'");
});

test(
  "a save after another tab's save is rejected and offers the current settings",
  MATRIX,
  async ({ visitor, store }) => {
    await resetSettings(store);
    const one = await enter(visitor, SETTINGS);
    const two = await enter(visitor, SETTINGS);
    await one.app.getByLabel("Maximum items per wishlist").fill("100");
    await save(one.page);
    await expect(one.page.getByText("Settings saved")).toBeVisible();

    await two.app.getByLabel("Share links expire after").fill("7");
    await save(two.page);
    await expect(two.app.getByText("The settings were changed elsewhere")).toBeVisible();
    await expectAccessible(two);
    await expect(two.app.getByLabel("Share links expire after")).toHaveValue("7");
    await two.app.getByRole("button", { name: "Load current settings" }).click();
    await expect(two.app.getByLabel("Maximum items per wishlist")).toHaveValue("100");
    await two.app.getByLabel("Share links expire after").fill("7");
    await save(two.page);
    await expect(two.page.getByText("Settings saved")).toBeVisible();
    expectValue(await store.database.rows("SELECT share_link_days, item_cap, settings_version FROM shop")).toEqual([
      { share_link_days: 7, item_cap: 100, settings_version: 2 },
    ]);
    await resetSettings(store);
  },
);

/** Holds the forms that the page sends. @returns what waits for the next one, and what sends on the first that is held */
async function holdForms({ page }: Admin): Promise<{ sent: () => Promise<unknown>; release: () => void }> {
  const held: (() => void)[] = [];
  await page.route(/\/app\/settings\.data/, async (route) => {
    if (route.request().method() === "POST") await new Promise<void>((resolve) => held.push(resolve));
    await route.fallback();
  });
  return {
    sent: () => expect.poll(() => held.length).toBe(1),
    release: () => held.shift()?.(),
  };
}

test("Enter during a save saves what was typed since", MATRIX, async ({ visitor, store }) => {
  await resetSettings(store);
  const admin = await enter(visitor, SETTINGS);
  const { page } = admin;
  const field = admin.app.getByLabel("Maximum items per wishlist");
  const { sent, release } = await holdForms(admin);
  await field.fill("100");
  await field.press("Enter");
  await sent();
  await field.fill("200");
  await field.press("Enter");
  release();
  await sent();
  // The second save isn't done because the first one is.
  await page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Analytics" }).click();
  await page
    .getByRole("dialog", { name: "Leave page with unsaved changes?" })
    .getByRole("button", { name: "Stay" })
    .click();
  release();
  await expect(page.locator("#save-bar")).toBeHidden();
  await expect(field).toHaveValue("200");
  expectValue(await store.database.rows("SELECT item_cap, settings_version FROM shop")).toEqual([
    { item_cap: 200, settings_version: 2 },
  ]);
  await resetSettings(store);
});

test("Discard does nothing during a save", MATRIX, async ({ visitor, store }) => {
  await resetSettings(store);
  const admin = await enter(visitor, SETTINGS);
  const { app, page } = admin;
  const field = app.getByLabel("Maximum items per wishlist");
  const { sent, release } = await holdForms(admin);
  await field.fill("100");
  await page.locator("#save-bar").getByRole("button", { name: "Discard" }).click();
  const discard = page.getByRole("button", { name: "Discard changes" });
  await expect(discard).toBeVisible();
  await app
    .locator("form")
    .first()
    .evaluate((form: HTMLFormElement) => form.requestSubmit());
  await sent();
  await discard.click();
  release();
  await admin.quiet();
  await expect(field).toHaveValue("100");
  await expect(page.locator("#save-bar")).toBeHidden();
  await resetSettings(store);
});

test("an invalid setting shows its error at the field", MATRIX, async ({ visitor, store }) => {
  await resetSettings(store);
  const admin = await enter(visitor, SETTINGS);
  const { app, page } = admin;
  await app.getByLabel("Share links expire after").fill("0");
  await save(page);
  await expect(app.getByText("Enter a whole number from 1 to 365.")).toBeVisible();
  await expectAccessible(admin);
  expectValue(await store.database.rows("SELECT settings_version FROM shop")).toEqual([{ settings_version: 0 }]);
});

test("settings, the chosen file and export options survive an ended session", MATRIX, async ({ visitor, store }) => {
  await resetSettings(store);
  const { rows } = store.database;
  const admin = await enter(visitor, SETTINGS);
  const { app, page, open } = admin;
  const save = page.locator("#save-bar").getByRole("button", { name: "Save" });
  await app.getByLabel("Maximum items per wishlist").fill("321");
  await app.getByText("Customers only").click();
  await endSession(admin);
  await save.click();
  await expect(app.getByText("Your session has ended, and nothing was saved.")).toBeVisible();
  await admin.quiet();
  await expect(app.getByLabel("Maximum items per wishlist")).toHaveValue("321");
  await expect(app.getByLabel("Customers only")).toBeChecked();
  expectValue(await rows("SELECT item_cap, settings_version FROM shop")).toEqual([
    { item_cap: 2_500, settings_version: 0 },
  ]);
  await renewSession(admin);
  await clickTwice(save);
  await expect(page.getByText("Settings saved")).toBeVisible();
  await expect(page.locator("#save-bar")).toBeHidden();
  expectValue(await rows("SELECT item_cap, guest_lists, settings_version FROM shop")).toEqual([
    { item_cap: 321, guest_lists: false, settings_version: 1 },
  ]);
  await resetSettings(store);

  await open(DATA);
  await app.locator("input[type=file]").setInputFiles({
    ...{ name: "lists.csv", mimeType: "text/csv" },
    buffer: Buffer.from(csvFile(`customer,c1,p1,v1,${SAVED_AT}`)),
  });
  await app.getByLabel("Format").selectOption("ndjson");
  await app.getByLabel("Include guest wishlists").check();
  const check = app.getByRole("button", { name: "Check file" });
  const exporting = app.getByRole("button", { name: "Export wishlists" });
  await endSession(admin);
  await check.click();
  await exporting.click();
  await expect(app.getByText("Your session has ended, and nothing was saved.")).toHaveCount(2);
  await admin.quiet();
  await expect(app.getByText("lists.csv", { exact: true })).toBeVisible();
  await expect(app.getByLabel("Format")).toHaveValue("ndjson");
  await expect(app.getByLabel("Include guest wishlists")).toBeChecked();
  expectValue(await rows("SELECT 1 FROM wishlist_import")).toEqual([]);
  await renewSession(admin);
  // A double click runs each action once.
  const started = page.waitForEvent("download");
  await clickTwice(exporting);
  expectValue((await started).suggestedFilename()).toMatch(/\.ndjson$/);
  await clickTwice(check);
  await expect(app.getByText("lists.csv was checked")).toBeVisible();
  await clickTwice(app.getByRole("button", { name: "Import 1 item" }));
  await expect(app.getByText("Import finished")).toBeVisible();
  expectValue(await rows("SELECT status, items_added FROM wishlist_import")).toEqual([
    { status: "done", items_added: 1 },
  ]);
  expectValue(await rows("SELECT action FROM audit WHERE area = 'data' ORDER BY id")).toEqual([
    { action: "data.exported" },
    { action: "data.imported" },
  ]);
  const settings = "401 POST /app/settings.data";
  const data = "401 POST /app/settings/data.data";
  visitor.expectFailures(settings, settings, data, data, data, data);
});

test("a file is imported after a dry run and exported again", async ({ visitor, store }) => {
  const admin = await enter(visitor, SETTINGS);
  const { app, page } = admin;
  await app.getByRole("link", { name: "Export and import" }).click();
  await expect.poll(() => pathOf(admin)).toBe(DATA);
  const lines = [`customer,c1,p1,v1,${SAVED_AT}`, `customer,c1,p1,v1,${SAVED_AT}`, `customer,<b>,p1,v1,never`];
  const choose = async (name: string, text: string) => {
    await app.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
    await app.getByRole("button", { name: "Check file" }).click();
  };
  await choose("lists.txt", "x");
  await expect(app.getByText("Choose a file whose name ends with .csv")).toBeVisible();
  await expectAccessible(admin);
  await choose("lists.csv", csvFile(...lines));
  await expect(app.getByText("lists.csv was checked")).toBeVisible();
  await expect(app.getByText("1 item will be added to 1 list")).toBeVisible();
  await expect(app.getByText("Line 4")).toBeVisible();
  await expect(app.getByText("1 item not in your catalog")).toBeVisible();
  await expectAccessible(admin);
  expectValue(await store.database.rows("SELECT 1 FROM wishlist_item")).toEqual([]);
  const reported = page.waitForEvent("download");
  await app.getByRole("button", { name: "Download report" }).click();
  const report = await textOf(await (await reported).createReadStream());
  expectValue(report.split("\r\n").slice(0, 3)).toEqual([
    "line,field,problem",
    "2,product_id,is not in your catalog",
    expectValue.stringMatching(/^4,added_at,/),
  ]);
  await admin.reload();
  await app.getByRole("button", { name: "Import 1 item" }).click();
  await expect(app.getByText("Import finished")).toBeVisible();
  await expectAccessible(admin);

  const started = page.waitForEvent("download");
  await app.getByRole("button", { name: "Export wishlists" }).click();
  const download = await started;
  expectValue(download.suggestedFilename()).toMatch(/^wishlists-larkfell-outdoor-\d{4}-\d\d-\d\d\.csv$/);
  const header =
    "owner,owner_id,product_id,variant_id,added_at,list_id,list_name,quantity,note,properties,position,saved_price";
  expectValue(await textOf(await download.createReadStream())).toBe(`${header}\r\n${lines[0] ?? ""},default,,,,,,\r\n`);
  expectValue(download.url()).toMatch(/token=\d+\.\w{43}$/);
  await app.getByRole("button", { name: "Import another file" }).click();
  await expect(app.getByRole("button", { name: "Check file" })).toBeVisible();
});

test("the template can be imported and the import undone", MATRIX, async ({ visitor, store }) => {
  const admin = await enter(visitor, DATA);
  const { app, page } = admin;
  await app.locator("input[type=file]").setInputFiles({
    ...{ name: "lists.csv", mimeType: "text/csv" },
    buffer: Buffer.from(csvFile(`customer,c1,p1,v1,${SAVED_AT}`)),
  });
  await app.getByRole("button", { name: "Check file" }).click();
  await app.getByRole("button", { name: "Import 1 item" }).click();
  await app.getByRole("button", { name: "Import another file" }).click();
  const saving = page.waitForEvent("download");
  await app.getByRole("button", { name: "Download template" }).click();
  const buffer = Buffer.from(await textOf(await (await saving).createReadStream()));
  await app.locator("input[type=file]").setInputFiles({ name: "template.csv", mimeType: "text/csv", buffer });
  await app.getByRole("button", { name: "Check file" }).click();
  await app.getByRole("button", { name: "Import 1 item" }).click();
  await expect(app.getByText("Import finished")).toBeVisible();
  await expectAccessible(admin);
  await app.getByRole("button", { name: "Undo import" }).click();
  await app.getByRole("dialog").getByRole("button", { name: "Undo import" }).click();
  await expect(app.getByText("Import undone")).toBeVisible();
  await expectAccessible(admin);
  expectValue(
    await store.database.rows("SELECT status, items_undone FROM wishlist_import ORDER BY created_at DESC LIMIT 1"),
  ).toEqual([{ status: "undone", items_undone: 1 }]);

  // The one before it can be undone as well.
  await app.getByRole("button", { name: "Undo the import of lists.csv" }).click();
  await expectAccessible(admin);
  await app.getByRole("dialog").getByRole("button", { name: "Undo import" }).click();
  await expect(app.getByRole("row", { name: "lists.csv" })).toContainText("Undone: 1 item removed.");
  await expect(app.getByRole("button", { name: "Undo the import of lists.csv" })).toHaveCount(0);
  expectValue(await store.database.rows("SELECT 1 FROM audit WHERE action = 'data.import_undone'")).toHaveLength(2);
});

test("a successful upload shows whole percentages and no warning", MATRIX, async ({ visitor }) => {
  const admin = await enter(visitor, DATA);
  const { app } = admin;
  const another = app.getByRole("button", { name: "Import another file" });
  await expect(app.getByText("Import", { exact: true }).first()).toBeVisible();
  if (await another.isVisible()) await another.click();
  const frame = await app
    .locator("body")
    .elementHandle()
    .then((body) => body.ownerFrame());
  if (!frame) throw new Error("the app has no frame");
  await frame.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      if (document.body.innerText.includes("Upload interrupted")) seen.push("interrupted");
      for (const bar of document.querySelectorAll("progress")) seen.push(bar.getAttribute("value") ?? "");
    }).observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true });
  });
  const lines = Array.from({ length: 10_000 }, (_, n) => `customer,c${n},p1,v1,${SAVED_AT}`);
  await app.locator("input[type=file]").setInputFiles({
    ...{ name: "many.csv", mimeType: "text/csv" },
    buffer: Buffer.from(csvFile(...lines)),
  });
  await app.getByRole("button", { name: "Check file" }).click();
  await expect(app.getByText("many.csv was checked")).toBeVisible();
  const seen = await frame.evaluate(() =>
    "seen" in window && Array.isArray(window.seen) ? window.seen.map(String) : [],
  );
  expectValue(seen.length).toBeGreaterThan(0);
  expectValue(seen.filter((value) => !/^\d+$/.test(value))).toEqual([]);
  await app.getByRole("button", { name: "Discard file" }).click();
  await expect(app.getByText("Import canceled")).toBeVisible();
});

test(
  "the settings, data and privacy pages are accessible and fit phones and desktops",
  MATRIX,
  async ({ arrive, store }) => {
    await resetSettings(store);
    const admin = await enter(await arrive(), SETTINGS);
    const { app } = admin;
    await expect(app.getByLabel("Maximum items per wishlist")).toHaveValue("2500");
    await expectAccessibleOnAllSizes(admin);
    await admin.go(DATA);
    await expect(app.getByRole("button", { name: "Export wishlists" })).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await admin.go(PRIVACY);
    await expect(app.getByText("No privacy requests yet")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await addRequests(store, 60);
    await admin.go(PRIVACY);
    await expect(app.getByText("Overdue").first()).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    await app.getByRole("link", { name: "Next" }).click();
    await expect.poll(() => pathOf(admin)).toContain("after=");
    await expect(app.locator("tbody tr, .list-table li")).toHaveCount(10);
  },
);
