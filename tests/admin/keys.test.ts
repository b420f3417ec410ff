import { MATRIX } from "../support/matrix.ts";
import { describe, expect as expectValue } from "vitest";
import { test } from "../e2e/fixtures/journey.ts";
import type { LiveStore } from "../e2e/fixtures/live-store.ts";
import { expect } from "../e2e/fixtures/visitor.ts";
import { exchange, newGuestId } from "../support/app/shop.ts";
import { PHONE } from "../support/browser/browser.ts";
import {
  cancelModal,
  endSession,
  enter,
  expectAccessible,
  expectAccessibleOnAllSizes,
  inModal,
  pathOf,
  renewSession,
  save,
  type Admin,
} from "./fixtures.ts";

const NEW = "/app/api-keys/new";

/** Creates a key in the open form for a new key. */
async function createKey({ app, page }: Admin, name: string): Promise<{ keyId: string; secret: string }> {
  await app.getByLabel("Name").fill(name);
  await save(page);
  const secret = await app.getByLabel("Secret", { exact: true }).inputValue();
  return { keyId: await app.getByLabel("Key ID", { exact: true }).inputValue(), secret };
}

function keyNames({ database }: LiveStore): Promise<{ name: string }[]> {
  return database.rows<{ name: string }>("SELECT name FROM api_key ORDER BY created_at");
}

test("a created key works until it is revoked, and its page shows its last use", async ({ visitor, store }) => {
  const admin = await enter(visitor, "/app/api-keys");
  const { page, app } = admin;
  await app.getByRole("link", { name: "Create API key" }).click();
  await app.getByLabel("Name").fill("Storefront");
  await app.getByLabel("Read analytics").check();
  await save(page);
  const keyId = await app.getByLabel("Key ID", { exact: true }).inputValue();
  const secret = await app.getByLabel("Secret", { exact: true }).inputValue();
  const curl = await app.getByLabel("Get an access token (valid for one hour)", { exact: true }).inputValue();
  expectValue(curl).toContain(`-d '{"api_key":"${keyId}","api_secret":"${secret}"}'`);

  const token = await exchange(store.call, { keyId, secret });
  const read = () => store.call("GET", "/v1/analytics/overview", { token });
  expectValue((await read()).status).toBe(200);
  expectValue((await store.call("GET", "/v1/webhooks", { token })).status).toBe(403);

  await app.getByRole("link", { name: "Done" }).click();
  await expect.poll(() => pathOf(admin)).toBe(`/app/api-keys/${keyId}`);
  await expect(app.locator("dt", { hasText: "Last used" }).locator("xpath=following-sibling::dd[1]")).not.toHaveText(
    "Never",
  );
  expectValue(await app.locator("html").innerHTML()).not.toContain(secret);
  await page.getByRole("button", { name: "Revoke key" }).click();
  await cancelModal(admin);
  expectValue((await read()).status).toBe(200);
  await page.getByRole("button", { name: "Revoke key" }).click();
  await inModal(admin, "Revoke key").click();
  await expect(app.getByText("Revoked").first()).toBeVisible();
  await expect(app.getByText("Active", { exact: true })).toHaveCount(0);
  await expect(page.getByText("Key revoked")).toBeVisible();
  await expect.poll(async () => (await read()).status).toBe(401);
});

test("a sample request uses a one-minute token with a single read scope", async ({ visitor, store }) => {
  const admin = await enter(visitor, NEW);
  const { app, page } = admin;
  await createKey(admin, "Storefront");
  await app.getByRole("link", { name: "Done" }).click();
  await app.getByRole("button", { name: "Send request" }).click();
  await expect(app.getByText("Enter a customer ID")).toBeVisible();
  await app.getByLabel("Customer ID").fill("../keys?x=1");
  const requested = page.waitForRequest((request) => new URL(request.url()).pathname.startsWith("/v1/"));
  await app.getByRole("button", { name: "Send request" }).click();
  await expect(app.getByText('"total": 0')).toBeVisible();
  const request = await requested;
  expectValue(new URL(request.url()).pathname).toBe("/v1/wishlists/..%2Fkeys%3Fx%3D1");
  const token = request.headers()["authorization"]?.replace("Bearer ", "") ?? "";
  const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  expectValue(claims).toMatchObject({ scope: "read_wishlists" });
  const { iat, exp } = claims as { iat: number; exp: number };
  expectValue(exp - iat).toBe(60);
  const add = { token, json: { product_id: "1", variant_id: "1" } };
  expectValue((await store.call("POST", "/v1/wishlists/7/items", add)).status).toBe(403);
});

test("a rotated key stays valid for the selected time beside its successor", async ({ visitor, store }) => {
  const admin = await enter(visitor, NEW);
  const { app } = admin;
  const old = await createKey(admin, "Storefront");
  await app.getByRole("link", { name: "Done" }).click();
  await app.getByLabel("Keep this key valid for").selectOption("1");
  await app.getByRole("button", { name: "Rotate key" }).click();
  const secret = await app.getByLabel("Secret", { exact: true }).inputValue();
  const keyId = await app.getByLabel("Key ID", { exact: true }).inputValue();
  expectValue(keyId).not.toBe(old.keyId);
  await exchange(store.call, { keyId, secret });
  await exchange(store.call, old);
  const [row] = await store.database.rows<{ minutes: number }>(
    "SELECT round(extract(epoch FROM expires_at - now()) / 60)::integer AS minutes FROM api_key WHERE key_id = $1",
    [old.keyId],
  );
  expectValue(row?.minutes).toBeGreaterThan(50);
  expectValue(row?.minutes).toBeLessThanOrEqual(60);
  await expect(app.getByText("Being replaced")).toBeVisible();
  await admin.reload();
  await expect(app.getByText("This key stops working on")).toBeVisible();
  await app.getByRole("link", { name: "View the new key" }).click();
  await expect.poll(() => pathOf(admin)).toBe(`/app/api-keys/${keyId}`);
});

test("the secret of a rotated key is in view on phones and desktops", MATRIX, async ({ arrive }) => {
  for (const viewport of [PHONE, { width: 1_280, height: 800 }]) {
    const admin = await enter(await arrive({ viewport }), NEW);
    const { app } = admin;
    await createKey(admin, "Storefront");
    await app.getByRole("link", { name: "Done" }).click();
    await app.getByRole("button", { name: "Rotate key" }).click();
    const secret = app.getByLabel("Secret", { exact: true });
    await expect(secret).toHaveValue(/\S/);
    await expect(secret).toBeInViewport({ ratio: 1 });
    await expect(app.getByRole("button", { name: "Copy: Secret" })).toBeInViewport({ ratio: 1 });
  }
});

test("a key gets another name and permissions in the save bar", async ({ visitor, store }) => {
  const admin = await enter(visitor, NEW);
  const { app, page } = admin;
  const { keyId } = await createKey(admin, "Storefront");
  await app.getByRole("link", { name: "Done" }).click();
  await app.getByLabel("Name", { exact: true }).fill("Warehouse");
  await app.getByLabel("Change wishlists").uncheck();
  await app.getByLabel("Name", { exact: true }).press("Enter");
  await expect(page.getByText("Key saved")).toBeVisible();
  await expect(app.getByRole("heading", { name: "Warehouse", level: 1 })).toHaveCount(1);
  await expect(page.locator("#save-bar")).toBeHidden();
  expectValue(await store.database.rows("SELECT name, scopes FROM api_key WHERE key_id = $1", [keyId])).toEqual([
    { name: "Warehouse", scopes: ["read_wishlists"] },
  ]);
});

test("a rotation without overlap asks for confirmation with the key's last use", MATRIX, async ({ visitor, store }) => {
  const admin = await enter(visitor, NEW);
  const { app } = admin;
  const old = await createKey(admin, "Back office");
  await exchange(store.call, old);
  await app.getByRole("link", { name: "Done" }).click();
  await app.getByLabel("Keep this key valid for").selectOption("0");
  await app.getByRole("button", { name: "Rotate key" }).click();
  await expect(
    app.locator("#rotate-key-now").getByText(/Back office was last used .*lose access immediately/),
  ).toBeVisible();
  await cancelModal(admin);
  expectValue(await keyNames(store)).toHaveLength(1);
  await app.getByRole("button", { name: "Rotate key" }).click();
  await inModal(admin, "Rotate key").click();
  await expect(app.getByLabel("Secret", { exact: true })).toBeVisible();
  expectValue(await keyNames(store)).toHaveLength(2);
  const exchanged = { json: { api_key: old.keyId, api_secret: old.secret } };
  await expect.poll(async () => (await store.call("POST", "/v1/auth/token", exchanged)).status).toBe(401);
});

test("a revocation asks for confirmation with the key's last use", MATRIX, async ({ visitor, store }) => {
  const admin = await enter(visitor, NEW);
  const { app, page, open } = admin;
  const key = await createKey(admin, "Back office");
  await app.getByRole("link", { name: "Done" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(app.locator("#revoke-key").getByText("Back office has never been used.")).toBeVisible();
  await cancelModal(admin);
  await exchange(store.call, key);
  await open(`/app/api-keys/${key.keyId}`);
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(
    app.locator("#revoke-key").getByText(/Back office was last used .*lose access within a second/),
  ).toBeVisible();
});

test("a storefront server's key accepts wishlist permissions only", MATRIX, async ({ visitor, store }) => {
  const admin = await enter(visitor, NEW);
  const { app, page } = admin;
  await app.getByLabel("Name").fill("Server");
  await app.getByText("Storefront server", { exact: true }).click();
  await app.getByLabel("Read analytics").check();
  await save(page);
  await expect(app.getByText("Clear the other permissions.")).toBeVisible();
  await app.getByLabel("Read analytics").uncheck();
  await save(page);
  await expect(app.getByLabel("Secret", { exact: true })).toBeVisible();
  expectValue(await store.database.rows("SELECT kind FROM api_key")).toEqual([{ kind: "storefront_server" }]);
  await admin.go("/app/api-keys");
  await expect(app.getByRole("cell", { name: "Storefront server" })).toBeVisible();
});

test("the settings page links to the API keys", async ({ visitor }) => {
  const admin = await enter(visitor, "/app/settings");
  await admin.app.getByRole("link", { name: "Manage API keys" }).click();
  await expect.poll(() => pathOf(admin)).toBe("/app/api-keys");
});

test("an invalid key form shows errors at its fields and keeps the values", async ({ visitor, store }) => {
  const admin = await enter(visitor, NEW);
  const { app, page } = admin;
  await app.getByLabel("Read wishlists").uncheck();
  await app.getByLabel("Change wishlists").uncheck();
  await save(page);
  await expect(app.getByText("Give the key a name.")).toBeVisible();
  await expect(app.getByText("Choose at least one.")).toBeVisible();
  await expect(app.getByLabel("Name")).toBeFocused();
  await expectAccessible(admin);
  await app.getByLabel("Name").fill("x".repeat(101));
  await expect(app.getByText("Give the key a name.")).toHaveCount(0);
  await expect(app.getByText("Choose at least one.")).toBeVisible();
  await save(page);
  await expect(app.getByText("Use at most 100 characters.")).toBeVisible();
  await expect(app.getByLabel("Name")).toHaveValue("x".repeat(101));
  expectValue(await keyNames(store)).toEqual([]);
  await page.locator("#save-bar").getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(app.getByLabel("Name")).toHaveValue("");
  await expect(app.getByText("Use at most 100 characters.")).toHaveCount(0);
  await expect(page.locator("#save-bar")).toBeHidden();
});

test("a key name that contains a script is shown as text", MATRIX, async ({ visitor }) => {
  const admin = await enter(visitor, NEW);
  const { app } = admin;
  const name = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`;
  await createKey(admin, name);
  await admin.go("/app/api-keys");
  await expect(app.getByRole("link", { name })).toBeVisible();
  expectValue(await app.locator("head title").textContent()).not.toBe("run");
});

test("the new key form keeps its values when the session ends", MATRIX, async ({ visitor, store }) => {
  const admin = await enter(visitor, NEW);
  const { app, page } = admin;
  await app.getByLabel("Name").fill("Typed with care");
  await endSession(admin);
  await save(page);
  await expect(app.getByText("Your session has ended, and nothing was saved.")).toBeVisible();
  await admin.quiet();
  await expect(app.getByLabel("Name")).toHaveValue("Typed with care");
  expectValue(await keyNames(store)).toEqual([]);
  await renewSession(admin);
  await app.getByRole("button", { name: "Try again" }).click();
  await expect(app.getByLabel("Secret", { exact: true })).toBeVisible();
  expectValue(await keyNames(store)).toEqual([{ name: "Typed with care" }]);
  visitor.expectFailures("401 POST /app/api-keys/new.data", "401 POST /app/api-keys/new.data");
});

test("every state of the key pages is accessible and fits phones and desktops", MATRIX, async ({ arrive }) => {
  const admin = await enter(await arrive(), "/app/api-keys");
  const { app, page, open } = admin;
  await expect(app.getByText("Connect a storefront or app")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await open(NEW);
  await createKey(admin, "A name that is as long as names can be ".repeat(2).trim());
  await expectAccessibleOnAllSizes(admin);
  await app.getByRole("link", { name: "Done" }).click();
  await app.getByLabel("Customer ID").fill("7");
  await app.getByRole("button", { name: "Send request" }).click();
  await expect(app.getByText('"total": 0')).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(app.getByText("lose access within a second")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
  await admin.go("/app/api-keys");
  await expect(app.getByText("A name that is as long")).toBeVisible();
  await expectAccessibleOnAllSizes(admin);
});

describe("a publishable key", () => {
  const ORIGINS = "https://www.example.com\nhttp://localhost:3000";

  /** Creates a publishable key in the open form for a new key. */
  async function publishKey({ app, page }: Admin, origins = ORIGINS): Promise<string> {
    await app.getByLabel("Name").fill("Shop front");
    await app.getByText("Publishable", { exact: true }).click();
    await app.getByLabel("Allowed origins").fill(origins);
    await save(page);
    const keyId = await app.getByLabel("Publishable key", { exact: true }).inputValue();
    await app.getByRole("link", { name: "Done" }).click();
    return keyId;
  }

  /** Exchanges the key in a page of an origin. @returns the status */
  async function statusAt({ call }: LiveStore, origin: string, keyId: string): Promise<number> {
    const json = { publishable_key: keyId, guest_id: newGuestId() };
    return (await call("POST", "/v1/auth/storefront-token", { json, headers: { origin } })).status;
  }

  test("is created with origins, at which it works, and without permissions or a secret", async ({
    visitor,
    store,
  }) => {
    const admin = await enter(visitor, NEW);
    const { app } = admin;
    await app.getByText("Publishable", { exact: true }).click();
    await expect(app.getByText("Permissions", { exact: true })).toHaveCount(0);
    const keyId = await publishKey(admin);
    await expect.poll(() => pathOf(admin)).toBe(`/app/api-keys/${keyId}`);
    await expect(app.getByText("Try this key")).toHaveCount(0);
    await expect(app.getByLabel("Allowed origins")).toHaveValue(ORIGINS);
    expectValue(await statusAt(store, "https://www.example.com", keyId)).toBe(200);
    expectValue(await statusAt(store, "http://localhost:3000", keyId)).toBe(200);
    expectValue(await statusAt(store, "https://example.com", keyId)).toBe(403);
    await admin.go("/app/api-keys");
    await expect(app.getByRole("cell", { name: "Publishable" })).toBeVisible();
  });

  test("is not created with origins that are none; the error is at the field", MATRIX, async ({ visitor, store }) => {
    const { app, page } = await enter(visitor, NEW);
    await app.getByLabel("Name").fill("Shop front");
    await app.getByText("Publishable", { exact: true }).click();
    const field = app.getByLabel("Allowed origins");
    await save(page);
    await expect(field).toHaveAccessibleDescription(/Enter at least one origin\./);
    await field.fill("https://www.example.com/shop");
    await save(page);
    await expect(field).toHaveAccessibleDescription(/https:\/\/www\.example\.com\/shop is not an origin\./);
    await field.fill("http://www.example.com\nhttps://good.example\nexample");
    await save(page);
    await expect(field).toHaveAccessibleDescription(/http:\/\/www\.example\.com and example are not origins\./);
    await expect(field).toHaveValue("http://www.example.com\nhttps://good.example\nexample");
    expectValue(await keyNames(store)).toEqual([]);
  });

  test("has its origins changed in the save bar", async ({ visitor, store }) => {
    const admin = await enter(visitor, NEW);
    const { app, page } = admin;
    const keyId = await publishKey(admin);
    const field = app.getByLabel("Allowed origins");
    const saveBar = page.locator("#save-bar");
    await field.fill("example.com");
    await save(page);
    await expect(field).toHaveAccessibleDescription(/example\.com is not an origin\./);
    await saveBar.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await expect(field).toHaveValue(ORIGINS);

    await field.fill("https://Shop.Example.com/");
    await save(page);
    await expect(page.getByText("Key saved")).toBeVisible();
    await expect(saveBar).toBeHidden();
    await admin.reload();
    await expect(field).toHaveValue("https://shop.example.com");
    expectValue(await statusAt(store, "https://shop.example.com", keyId)).toBe(200);
    await expect.poll(() => statusAt(store, "https://www.example.com", keyId)).toBe(403);
  });

  test("is rotated to one with the same origins and no secret", MATRIX, async ({ visitor, store }) => {
    const admin = await enter(visitor, NEW);
    const { app } = admin;
    const keyId = await publishKey(admin);
    await app.getByRole("button", { name: "Rotate key" }).click();
    const next = await app.getByLabel("Publishable key", { exact: true }).inputValue();
    expectValue(next).not.toBe(keyId);
    await expect(app.getByLabel("Secret", { exact: true })).toHaveCount(0);
    await expect(app.getByText("Being replaced")).toBeVisible();
    for (const key of [keyId, next]) expectValue(await statusAt(store, "https://www.example.com", key)).toBe(200);
  });

  test("stops working within a second of its revocation", MATRIX, async ({ visitor, store }) => {
    const admin = await enter(visitor, NEW);
    const { app, page } = admin;
    const keyId = await publishKey(admin);
    await page.getByRole("button", { name: "Revoke key" }).click();
    await expect(
      app.locator("#revoke-key").getByText("Storefronts that use it lose access within a second."),
    ).toBeVisible();
    await inModal(admin, "Revoke key").click();
    await expect(page.getByText("Key revoked")).toBeVisible();
    await expect(app.getByLabel("Allowed origins")).toHaveCount(0);
    await expect.poll(() => statusAt(store, "https://www.example.com", keyId)).toBe(401);
  });

  test("has pages that are accessible and fit phones and desktops", MATRIX, async ({ arrive }) => {
    const admin = await enter(await arrive(), NEW);
    const { app, page } = admin;
    await app.getByText("Publishable", { exact: true }).click();
    await save(page);
    await expect(app.getByText("Enter at least one origin.")).toBeVisible();
    await expectAccessibleOnAllSizes(admin);
    const long = `https://${"a".repeat(63)}.${"b".repeat(63)}.example`;
    await publishKey(admin, long);
    await expectAccessibleOnAllSizes(admin);
    await admin.go("/app/api-keys");
    await expectAccessibleOnAllSizes(admin);
  });
});
