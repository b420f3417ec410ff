import { readdirSync, readFileSync } from "node:fs";
import type { Locator } from "playwright";
import { describe, expect as expectValue } from "vitest";
import { MATRIX } from "../support/matrix.ts";
import { test } from "../e2e/fixtures/journey.ts";
import type { LiveStore } from "../e2e/fixtures/live-store.ts";
import { expect } from "../e2e/fixtures/visitor.ts";
import { publishKey } from "../support/app/shop.ts";
import { enter, goTo, pathOf, type Admin } from "./fixtures.ts";

async function webhookPath({ call, token }: LiveStore): Promise<string> {
  const json = { url: "https://hooks.example.com/wishlist", events: ["wishlist.shared"] };
  const response = await call("POST", "/v1/webhooks", { token: await token(), json });
  return `/app/webhooks/${response.data<{ webhookId: string }>().webhookId}`;
}

async function publishableKeyPath(store: LiveStore): Promise<string> {
  return `/app/api-keys/${await publishKey({ id: await store.shopId() })}`;
}

/** Every form with a save bar. */
const FORMS: { name: string; saveBar: string; path: (store: LiveStore) => Promise<string> | string }[] = [
  { name: "settings", saveBar: "settings", path: () => "/app/settings" },
  { name: "alerts", saveBar: "alerts", path: () => "/app/alerts" },
  { name: "email", saveBar: "email", path: () => "/app/alerts/email" },
  { name: "a new key", saveBar: "new-key", path: () => "/app/api-keys/new" },
  { name: "a key", saveBar: "key", path: publishableKeyPath },
  { name: "a new webhook", saveBar: "webhook", path: () => "/app/webhooks/new" },
  { name: "a webhook", saveBar: "webhook", path: async (store) => `${await webhookPath(store)}/edit` },
];

/** Returns the first field of the page's form. */
function fieldOf({ app }: Admin): Locator {
  return app
    .locator("main")
    .locator("input:not([type=hidden], [type=checkbox], [type=radio], [type=submit], [readonly]), textarea")
    .first();
}

function saveBarOf({ page }: Admin): Locator {
  return page.locator("#save-bar");
}

function dialogOf({ page }: Admin): Locator {
  return page.getByRole("dialog", { name: "Leave page with unsaved changes?" });
}

test("every form with a save bar is in this file's list", () => {
  const folder = new URL("../../app/admin/", import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx"))
    .map((file) => readFileSync(new URL(file, folder), "utf8"));
  const found = sources.flatMap((source) =>
    [...source.matchAll(/<(?:SaveBar|FormCard|SettingsForm)\s+id="([\w-]+)"/g)].map(([, id]) => id),
  );
  expectValue(new Set(found)).toEqual(new Set(FORMS.map(({ saveBar }) => saveBar)));
});

for (const [index, { name, path }] of FORMS.entries()) {
  describe(`the form for ${name}`, index === 0 ? {} : MATRIX, () => {
    test("discards edits without saving them", MATRIX, async ({ visitor, store }) => {
      const admin = await enter(visitor, await path(store));
      const field = fieldOf(admin);
      const before = await field.inputValue();
      const activity = () => store.database.rows("SELECT id FROM audit");
      const recorded = await activity();
      await field.fill("77");
      await saveBarOf(admin).getByRole("button", { name: "Discard" }).click();
      await admin.page.getByRole("button", { name: "Continue editing" }).click();
      await expect(field).toHaveValue("77");
      await saveBarOf(admin).getByRole("button", { name: "Discard" }).click();
      await admin.page.getByRole("button", { name: "Discard changes" }).click();
      await expect(field).toHaveValue(before);
      await expect(saveBarOf(admin)).toBeHidden();
      await admin.quiet();
      // The form for email may have requested a preview. Each change that is saved is staff activity.
      expectValue(await activity()).toEqual(recorded);
    });

    test("asks before the menu or the Back button discards unsaved edits", async ({ visitor, store }) => {
      const form = await path(store);
      const admin = await enter(visitor, "/app/plan");
      const { page } = admin;
      const menu = page.getByRole("navigation", { name: "Admin" });
      await goTo(admin, form);
      const field = fieldOf(admin);
      await field.fill("78");
      await expect(saveBarOf(admin)).toBeVisible();
      const departures = [
        () => menu.getByRole("link", { name: "Analytics" }).click(),
        () => page.evaluate(() => history.back()),
      ];
      for (const leave of departures) {
        await leave();
        await dialogOf(admin).getByRole("button", { name: "Stay" }).click();
        await expect(dialogOf(admin)).toHaveCount(0);
        await expect(field).toHaveValue("78");
        await expect.poll(() => pathOf(admin)).toBe(form);
      }
      await page.evaluate(() => history.back());
      await dialogOf(admin).getByRole("button", { name: "Leave page" }).click();
      await expect.poll(() => pathOf(admin)).toBe("/app/plan");
      await expect(saveBarOf(admin)).toBeHidden();
      // After leaving, navigation asks no more.
      await menu.getByRole("link", { name: "Analytics" }).click();
      await expect.poll(() => pathOf(admin)).toBe("/app/analytics");
    });
  });
}

test("the browser asks before a reload of the admin loses unsaved edits", MATRIX, async ({ visitor }) => {
  const admin = await enter(visitor, "/app/settings");
  await fieldOf(admin).click();
  await admin.page.keyboard.type("1");
  await expect(saveBarOf(admin)).toBeVisible();
  const dialogOpens = admin.page.waitForEvent("dialog");
  const reloaded = admin.page.reload();
  const dialog = await dialogOpens;
  expectValue(dialog.type()).toBe("beforeunload");
  await dialog.accept();
  await reloaded;
});

test("a saved form can be left without a confirmation", MATRIX, async ({ visitor, store }) => {
  const webhook = await webhookPath(store);
  const admin = await enter(visitor, `${webhook}/edit`);
  // The server trims the URL, so the saved value differs from the typed one.
  await fieldOf(admin).fill(" https://hooks.example.com/elsewhere ");
  await saveBarOf(admin).getByRole("button", { name: "Save" }).click();
  await expect.poll(() => pathOf(admin)).toBe(webhook);
  await expect(dialogOf(admin)).toHaveCount(0);
  await expect(saveBarOf(admin)).toBeHidden();
});
