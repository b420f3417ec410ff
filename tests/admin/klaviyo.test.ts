import { afterAll, beforeAll, test } from "vitest";
import { z } from "zod";
import { openStore, type LiveStore } from "../e2e/fixtures/live-store.ts";
import { expect, Visitor } from "../e2e/fixtures/visitor.ts";
import { enter, expectAccessibleOnAllSizes, inModal } from "./fixtures.ts";

let store: LiveStore;

beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());

async function key(): Promise<string> {
  const response = await fetch(`${store.devstoreUrl}/devstore/api/klaviyo`);
  return z.object({ key: z.string() }).parse(await response.json()).key;
}

test("Klaviyo is connected with a key, gets a first event, and is disconnected", async () => {
  const merchant = await Visitor.arrive(store);
  const admin = await enter(merchant, "/app/alerts/klaviyo");
  const { app, page } = admin;
  await expectAccessibleOnAllSizes(admin);
  const field = app.getByLabel("Private key");
  await field.fill("pk_of_somebody_else");
  await app.getByRole("button", { name: "Connect" }).click();
  await expect(app.getByText("Klaviyo doesn't know this key")).toBeVisible();
  await field.fill(await key());
  await app.getByRole("button", { name: "Connect" }).click();
  await expect(app.getByRole("heading", { name: "Larkfell Outdoor" })).toBeVisible();
  await expect(app.getByText("Response 202")).toBeVisible();
  // The app may not read customers in this store.
  await expect(app.getByText("Events have no email address")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);

  await app.getByLabel("Item saved").check();
  await app.getByRole("button", { name: "Save events" }).click();
  await expect(page.getByText("Events saved")).toBeVisible();
  await app.getByLabel("Event", { exact: true }).selectOption({ label: "Item saved" });
  await store.control("klaviyo-revoke");
  await app.getByRole("button", { name: "Send test" }).click();
  await expect(app.getByText("Klaviyo refuses the key")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await app.getByLabel("Private key").fill(await key());
  await app.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(app.getByText("Klaviyo refuses the key")).toHaveCount(0);

  await app.getByRole("link", { name: "View what was sent" }).click();
  await expect(page.getByText("Klaviyo deliveries")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await admin.go("/app/alerts/klaviyo");
  await app.getByRole("button", { name: "Disconnect" }).click();
  await inModal(admin, "Disconnect").click();
  await expect(app.getByRole("heading", { name: "Connect your account" })).toBeVisible();
});
