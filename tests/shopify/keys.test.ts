import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { activeKeys, revokeKey, type Scope } from "../../app/access/index.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import type { Devstore } from "../../packages/devstore/devstore.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { connectShop, merchant, type ConnectedShop, type Merchant } from "../support/app/merchant.ts";
import type { Service } from "../support/app/service.ts";
import { issueKey } from "../support/app/shop.ts";

let connected: Connected;
let shopify: Devstore;
let service: Service;
let shop: ConnectedShop;
let maren: Merchant;

beforeAll(async () => {
  connected = await startConnected();
  ({ shopify, service } = connected);
});
afterAll(() => connected.close());
beforeEach(async () => {
  shop = await connectShop(service, shopify);
  maren = merchant(service, shop);
});

async function key(
  of = shop,
  scopes: readonly Scope[] = ["read_wishlists"],
): Promise<{ path: string; secret: string }> {
  const made = await issueKey(of.id, scopes);
  return { path: `/app/api-keys/${made.keyId}`, secret: made.secret };
}

function stored(): Promise<Record<string, unknown>[]> {
  return service.database.rows(
    `SELECT name, scopes, round(extract(epoch FROM expires_at - created_at) / 86400)::int AS days
       FROM api_key WHERE shop_id = $1 ORDER BY created_at`,
    [shop.id],
  );
}

const trial = { intent: "try", scope: "read_wishlists" };

describe("trying a key", () => {
  /** The start of every JWT. */
  const TOKEN = "eyJ";

  test("returns a working token with one of the key's scopes", async () => {
    const { path } = await key();
    expect(await maren.send(path, trial)).toContain(TOKEN);
    const beyond = await maren.send(path, { ...trial, scope: "read_analytics" });
    expect(beyond).toContain("This key does not have the scope read_analytics.");
    expect(beyond).not.toContain(TOKEN);
    for (const scope of ["write_wishlists", "", "all"]) {
      expect(await maren.send(path, { ...trial, scope })).not.toContain(TOKEN);
    }
  });

  test("is refused for a revoked, expired, unknown or another shop's key", async () => {
    const otherShop = await key(await connectShop(service, shopify));
    const [revoked, ended] = [await key(), await key()];
    await transaction(shop.id, (tx) => revokeKey(tx, shop.id, revoked.path.split("/").at(-1) ?? ""));
    await service.database.rows("UPDATE api_key SET expires_at = now() WHERE shop_id = $1 AND key_id = $2", [
      shop.id,
      ended.path.split("/").at(-1),
    ]);
    for (const path of [otherShop.path, revoked.path, ended.path, "/app/api-keys/wlk_0", "/app/api-keys/%00"]) {
      const response = await maren.send(path, trial);
      expect(response).toContain("This key is no longer active.");
      expect(response).not.toContain(TOKEN);
    }
  });
});

describe("a key", () => {
  const idempotencyKey = "s".repeat(22);
  const form = {
    intent: "create",
    kind: "admin",
    name: "Storefront",
    scopes: "read_wishlists",
    expires: "never",
    idempotencyKey,
  };

  test.each([
    ["never", null],
    ["30", 30],
    ["365", 365],
  ])("that is created with the expiry %j has it, and the chosen scopes", async (expires, days) => {
    const scopes = ["read_analytics", "read_wishlists", "read_analytics"];
    await maren.send("/app/api-keys/new", { ...form, name: "  Storefront ", expires, scopes });
    expect(await stored()).toEqual([{ name: "Storefront", scopes: ["read_analytics", "read_wishlists"], days }]);
  });

  test("whose form is sent twice is created once, and both responses have its secret", async () => {
    const secretOf = (response: string) => /wls_\w+/.exec(response)?.[0];
    const secret = secretOf(await maren.send("/app/api-keys/new", form));
    expect(secret).toBeDefined();
    expect(secretOf(await maren.send("/app/api-keys/new", form))).toBe(secret);
    expect(await stored()).toHaveLength(1);
  });

  test("with a field that is missing or wrong is refused with a message at the field", async () => {
    const wrong = [
      ["name", "", "Give the key a name."],
      ["name", "   ", "Give the key a name."],
      ["name", "x".repeat(101), "Use at most 100 characters."],
      ["name", "two\nlines", "Leave line breaks"],
      ["name", "nul\u0000", "Leave line breaks"],
      ["scopes", [], "Choose at least one."],
      ["scopes", "", "Choose from the list."],
      ["scopes", "admin", "Choose from the list."],
      ["expires", "31", "Choose when the key expires."],
      ["expires", "-1", "Choose when the key expires."],
    ] satisfies [keyof typeof form, string | string[], string][];
    for (const [field, value, says] of wrong) {
      expect(
        await maren.send("/app/api-keys/new", { ...form, [field]: value }),
        `${field} ${JSON.stringify(value)}`,
      ).toContain(says);
    }
    expect(await stored()).toEqual([]);
  });

  test("that is revoked or expired is not counted on the home page", async () => {
    const [active, revoked, ended] = [await key(), await key(), await key()].map(
      ({ path }) => path.split("/").at(-1) ?? "",
    );
    await transaction(shop.id, (tx) => revokeKey(tx, shop.id, revoked ?? ""));
    const expire = "UPDATE api_key SET expires_at = now() - interval '1 second' WHERE key_id = $1";
    await service.database.rows(expire, [ended]);
    expect((await activeKeys(shop.id)).map(({ keyId }) => keyId)).toEqual([active]);
  });

  test("gets another name and other scopes, which its tokens have from then on; both are recorded", async () => {
    const { path } = await key();
    const change = { intent: "change", kind: "admin", name: " Warehouse ", scopes: ["read_analytics"] };
    await maren.send(path, change);
    expect(await stored()).toMatchObject([{ name: "Warehouse", scopes: ["read_analytics"] }]);
    expect(await maren.send(path, trial)).toContain("This key does not have the scope read_wishlists.");
    // Nothing else, so nothing to record.
    await maren.send(path, change);
    const entries = await service.database.rows<{ details: object }>(
      "SELECT details FROM audit WHERE shop_id = $1 AND action = 'api_key.changed' AND subject = $2",
      [shop.id, path.split("/").at(-1)],
    );
    expect(entries).toEqual([
      { details: { from: expect.stringContaining("read_wishlists") as unknown, to: "Warehouse; read_analytics" } },
    ]);
  });

  test("keeps its name and scopes when the change is of another kind, another shop or invalid, or the key is revoked", async () => {
    const { path } = await key();
    const before = await stored();
    const change = { intent: "change", kind: "admin", name: "Warehouse", scopes: ["read_analytics"] };
    const stranger = merchant(service, await connectShop(service, shopify));
    expect(await stranger.send(path, change)).toContain("This key isn't active.");
    expect(await maren.send(path, { ...change, kind: "storefront_server", scopes: ["read_wishlists"] })).toContain(
      "This key isn't active.",
    );
    expect(await maren.send(path, { ...change, kind: "storefront_server" })).toContain("Clear the other permissions.");
    expect(await maren.send(path, { ...change, name: "" })).toContain("Give the key a name.");
    expect(await maren.send(path, { ...change, scopes: [] })).toContain("Choose at least one.");
    expect(await stored()).toEqual(before);
    await transaction(shop.id, (tx) => revokeKey(tx, shop.id, path.split("/").at(-1) ?? ""));
    expect(await maren.send(path, change)).toContain("This key isn't active.");
    expect(await stored()).toEqual(before);
  });

  test("does not show its secret, and is hidden from another shop's merchant", async () => {
    const { path, secret } = await key();
    const page = await maren.page(path);
    expect(page.status).toBe(200);
    const text = await page.text();
    expect(text).toContain(secret.slice(-4));
    expect(text).not.toContain(secret);
    const stranger = merchant(service, await connectShop(service, shopify));
    expect((await stranger.page(path)).status).toBe(404);
    const before = await service.database.rows("SELECT * FROM api_key WHERE shop_id = $1", [shop.id]);
    for (const fields of [{ intent: "rotate", overlap: "0" }, { intent: "revoke" }]) {
      expect(await stranger.send(path, fields)).not.toContain("wls_");
    }
    expect(await service.database.rows("SELECT * FROM api_key WHERE shop_id = $1", [shop.id])).toEqual(before);
  });
});

test("the list shows each of 51 keys once on two pages, newest first", async () => {
  await service.database.rows(
    `INSERT INTO api_key (shop_id, key_id, name, scopes, secret_hash, secret_hint, created_at, revoked_at)
     SELECT $1, 'wlk_' || n, 'Key number ' || n || '.', '{}', '', '', now() + n * interval '1 second', now()
       FROM generate_series(1, 51) AS n`,
    [shop.id],
  );
  const names = async (query: string): Promise<number[]> => {
    const text = await (await maren.page(`/app/api-keys${query}`)).text();
    return [...text.matchAll(/Key number (\d+)\./g)].map(([, number]) => Number(number));
  };
  const newest = Array.from({ length: 50 }, (_, n) => 51 - n);
  expect(await names("")).toEqual(newest);
  expect(await names("?page=2")).toEqual([1]);
  for (const nonsense of ["?page=0", "?page=-1", "?page=x", "?page=1e3", "?page=%00"]) {
    expect(await names(nonsense)).toEqual(newest);
  }
});

describe("a publishable key", () => {
  const publishable = { intent: "create", name: "Web", kind: "publishable", expires: "never" };

  async function stored() {
    return service.database.rows<{ key_id: string; kind: string; allowed_origins: string[]; scopes: string[] }>(
      "SELECT key_id, kind, allowed_origins, scopes FROM api_key WHERE shop_id = $1 AND kind = 'publishable' ORDER BY created_at DESC LIMIT 1",
      [shop.id],
    );
  }

  test("is created with its origins, and without a secret", async () => {
    const origins = "https://www.shop.example\nhttp://localhost:5173/";
    const made = await maren.send("/app/api-keys/new", { ...publishable, origins, idempotencyKey: "publishable-1" });
    const [key] = await stored();
    expect(key).toMatchObject({
      allowed_origins: ["https://www.shop.example", "http://localhost:5173"],
      scopes: ["read_wishlists", "write_wishlists"],
    });
    expect(made).toContain(key?.key_id);
    expect(made).not.toContain("wls_");
  });

  test.each([
    ["", "Enter at least one origin."],
    ["https://www.shop.example/wishlist", "is not an origin"],
  ])("is refused with the origins %j", async (origins, says) => {
    const before = await stored();
    const key = { ...publishable, origins, idempotencyKey: "publishable-2" };
    expect(await maren.send("/app/api-keys/new", key)).toContain(says);
    expect(await stored()).toEqual(before);
  });

  test("gets other origins, which are recorded", async () => {
    const origins = "https://www.shop.example";
    await maren.send("/app/api-keys/new", { ...publishable, origins, idempotencyKey: "publishable-3" });
    const [key] = await stored();
    await maren.send(`/app/api-keys/${String(key?.key_id)}`, {
      ...{ intent: "change", kind: "publishable", name: "Web shop" },
      origins: "https://new.example",
    });
    expect(await stored()).toMatchObject([{ key_id: key?.key_id, allowed_origins: ["https://new.example"] }]);
    const entries = await service.database.rows(
      "SELECT details FROM audit WHERE shop_id = $1 AND action = 'api_key.origins_changed' AND subject = $2",
      [shop.id, key?.key_id],
    );
    expect(entries).toEqual([
      { details: { name: "Web shop", from: "https://www.shop.example", to: "https://new.example" } },
    ]);
  });

  test("gives no token for a sample request", async () => {
    const origins = "https://www.shop.example";
    await maren.send("/app/api-keys/new", { ...publishable, origins, idempotencyKey: "publishable-4" });
    const [key] = await stored();
    const sent = await maren.send(`/app/api-keys/${String(key?.key_id)}`, { intent: "try", scope: "read_wishlists" });
    expect(sent).toContain("A publishable key gives tokens to shoppers only.");
  });
});
