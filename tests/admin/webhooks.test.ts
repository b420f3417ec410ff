import { afterEach, beforeEach, describe, expect as expectValue } from "vitest";
import { test } from "../e2e/fixtures/journey.ts";
import { productAt, type LiveStore } from "../e2e/fixtures/live-store.ts";
import { COLLECTION, expect, expectSaved, heartOf, press } from "../e2e/fixtures/visitor.ts";
import { DESKTOP, PHONE } from "../support/browser.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { enter, expectSound, pathOf, type Admin } from "./fixtures.ts";

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const NEW = "/app/webhooks/new";

/** Adds a webhook to the test's receiver, with the form. @returns its page's path, and its secret */
async function add(admin: Admin): Promise<{ path: string; secret: string }> {
  const { app, open } = admin;
  await open(NEW);
  await app.getByLabel("Address").fill(receiver.url);
  await app.getByRole("button", { name: "Add webhook" }).click();
  const secret = await app.getByLabel("Secret", { exact: true }).inputValue();
  await app.getByRole("link", { name: "Done" }).click();
  await expect.poll(() => pathOf(admin)).toMatch(/^\/app\/webhooks\/whk_\w+$/);
  return { path: pathOf(admin), secret };
}

test("a webhook is added, tells of what a customer saves, fails with its receiver, and delivers again when asked", async ({
  arrive,
  store,
}) => {
  const admin = await enter(await arrive(), "/app/webhooks");
  const { app, page } = admin;
  await app.getByRole("link", { name: "Add webhook" }).click();
  await expect.poll(() => pathOf(admin)).toBe(NEW);
  const { path } = await add(admin);

  const shopper = await arrive();
  const shop = await shopper.open("/");
  await shopper.logIn(shop, store.newCustomer());
  await shopper.visit(shop, COLLECTION);
  await press(heartOf(shop, productAt(0).handle));
  await receiver.until(1);
  await admin.open(path);
  await expect(app.getByText("Answered 204")).toBeVisible();
  await page.screenshot({ path: "/tmp/s-hooks/shots/journey-1.png", fullPage: true });
});
