import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { actorName } from "../../app/admin/wishlists/audit-labels.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { audit, purgeAudit, listAudit, staffInAudit } from "../../app/audit/index.server.ts";
import { eraseShop } from "../../app/privacy/index.server.ts";
import type { Devstore } from "../../packages/devstore/devstore.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { connectShop, merchant, type ConnectedShop, type Merchant } from "../support/app/merchant.ts";
import type { Service } from "../support/app/service.ts";

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
  // The entry about the new plan is Shopify's.
  await service.database.rows("DELETE FROM audit WHERE shop_id = $1", [shop.id]);
});

/** Inserts entries of a shop: `$2` count, `$3` number of staff members, `$4` age in days. */
function write(of: ConnectedShop, entries: number, staff: number, days = 0): Promise<unknown> {
  return service.database.rows(
    `INSERT INTO audit (shop_id, id, at, area, action, subject, customer_id, details, staff_id)
     SELECT $1, overlay(uuid_v7_min(now() - make_interval(days => $4))::text PLACING lpad(to_hex(n), 12, '0') FROM 25)::uuid,
            now() - make_interval(days => $4), CASE WHEN n % 2 = 0 THEN 'wishlist' ELSE 'plan' END,
            CASE WHEN n % 2 = 0 THEN 'wishlist.share_revoked' ELSE 'plan.changed' END, n, n % 7, '{}', 100 + n % $3
       FROM generate_series(1, $2::integer) n`,
    [of.id, entries, staff, days],
  );
}

describe("a change to API keys", () => {
  const idempotencyKey = "s".repeat(22);
  const form = {
    intent: "create",
    kind: "admin",
    name: "Storefront",
    scopes: "read_wishlists",
    expires: "never",
    idempotencyKey,
  };

  function auditEntries(): Promise<Record<string, unknown>[]> {
    return service.database.rows(
      "SELECT action, subject, details, staff_id FROM audit WHERE shop_id = $1 ORDER BY id",
      [shop.id],
    );
  }

  test("is recorded once with its staff member and without secrets", async () => {
    const made = await maren.send("/app/api-keys/new", form);
    await maren.send("/app/api-keys/new", form);
    const keyId = /wlk_\w+/.exec(made)?.[0] ?? "";
    const path = `/app/api-keys/${keyId}`;
    const rotated = await merchant(service, shop, "815").send(path, { intent: "rotate", overlap: "24" });
    const successor = /wlk_\w+/.exec(rotated)?.[0] ?? "";
    await maren.send(path, { intent: "rotate", overlap: "24" });
    await maren.send(path, { intent: "revoke" });
    await maren.send(path, { intent: "revoke" });
    const name = "Storefront";
    expect(await auditEntries()).toEqual([
      { action: "api_key.created", subject: keyId, details: { name }, staff_id: "4711" },
      { action: "api_key.rotated", subject: keyId, details: { name, to: successor }, staff_id: "815" },
      { action: "api_key.revoked", subject: keyId, details: { name }, staff_id: "4711" },
    ]);
    const secrets = [...(made + rotated).matchAll(/wls_\w+/g)].map(([secret]) => secret);
    expect(secrets.length).toBeGreaterThan(1);
    const kept = JSON.stringify(await service.database.rows("SELECT a::text FROM audit a"));
    for (const secret of secrets) expect(kept).not.toContain(secret);
  });

  test("is undone when its audit entry fails", async () => {
    const { rows } = service.database;
    await rows("ALTER TABLE audit ADD CONSTRAINT refused CHECK (staff_id <> '13') NOT VALID");
    try {
      await merchant(service, shop, "13").send("/app/api-keys/new", form);
    } finally {
      await rows("ALTER TABLE audit DROP CONSTRAINT refused");
    }
    expect(await rows("SELECT 1 FROM api_key WHERE shop_id = $1", [shop.id])).toEqual([]);
  });
});

describe("a change to webhooks, settings and data", () => {
  const idempotencyKey = "s".repeat(22);
  const url = "https://hooks.example.com/wishlist?key=hidden";
  const settings = {
    ...{
      intent: "save",
      shareLinkDays: "30",
      itemCap: "100",
      guestLists: "off",
      guestRetentionDays: "90",
      namedLists: "on",
    },
    ...{ timeZone: "Europe/Berlin", version: "0" },
  };

  /**
   * Inserts a checked import that can be started.
   * @returns the import's id
   */
  async function checkedFile(): Promise<string> {
    const id = `imp_${"i".repeat(22)}`;
    await service.database.rows(
      `INSERT INTO wishlist_import (shop_id, id, status, format, file_name, size, items_new, created_at, updated_at)
       VALUES ($1, $2, 'ready', 'csv', 'lists.csv', 1, 3, now(), now())`,
      [shop.id, id],
    );
    return id;
  }

  test("is recorded once with its staff member and without secrets", async () => {
    const made = await maren.send("/app/webhooks/new", {
      intent: "create",
      url,
      events: "wishlist.shared",
      idempotencyKey,
    });
    await maren.send("/app/webhooks/new", { intent: "create", url, events: "wishlist.shared", idempotencyKey });
    const webhookId = /whk_\w+/.exec(made)?.[0] ?? "";
    const path = `/app/webhooks/${webhookId}`;
    await maren.send(`${path}/edit`, { intent: "save", url, events: "wishlist.item.added" });
    await maren.send(path, { intent: "pause" });
    await maren.send(path, { intent: "resume" });
    const rotated = await maren.send(path, { intent: "rotate", idempotencyKey: "r".repeat(22) });
    await maren.send(path, { intent: "rotate", idempotencyKey: "r".repeat(22) });
    await maren.send(path, { intent: "delete" });
    await maren.send(path, { intent: "delete" });
    await maren.send("/app/settings", settings);
    await maren.send("/app/settings", settings);
    await maren.send("/app/settings/data", { intent: "export", format: "ndjson", guests: "off" });
    const id = await checkedFile();
    await maren.send("/app/settings/data", { intent: "start", id, unknown: "import" });
    await maren.send("/app/settings/data", { intent: "start", id, unknown: "import" });

    const about = { subject: webhookId, details: { name: "hooks.example.com" } };
    const entries = await service.database.rows<{ staff_id: string }>(
      "SELECT action, subject, details, staff_id FROM audit WHERE shop_id = $1 ORDER BY id",
      [shop.id],
    );
    expect(entries.map(({ staff_id: _, ...entry }) => entry)).toEqual([
      ...["created", "changed", "paused", "resumed", "secret_rotated", "deleted"].map((what) => ({
        action: `webhook.${what}`,
        ...about,
      })),
      {
        action: "settings.changed",
        subject: null,
        details: { name: "the maximum items per wishlist", from: "2500", to: "100" },
      },
      { action: "settings.changed", subject: null, details: { name: "guest wishlists", from: "on", to: "off" } },
      { action: "data.exported", subject: null, details: { name: "ndjson" } },
      { action: "data.imported", subject: id, details: { count: 3 } },
    ]);
    expect(new Set(entries.map(({ staff_id }) => staff_id))).toEqual(new Set(["4711"]));
    const secrets = [...(made + rotated).matchAll(/whsec_[\w+/=]+/g)].map(([secret]) => secret);
    expect(new Set(secrets).size).toBe(2);
    const kept = JSON.stringify(await service.database.rows("SELECT a::text FROM audit a"));
    for (const secret of [...secrets, "hidden"]) expect(kept).not.toContain(secret);
  });

  test("is undone when its audit entry fails", async () => {
    const { rows } = service.database;
    const made = await maren.send("/app/webhooks/new", {
      intent: "create",
      url,
      events: "wishlist.shared",
      idempotencyKey,
    });
    const path = `/app/webhooks/${/whk_\w+/.exec(made)?.[0] ?? ""}`;
    const id = await checkedFile();
    const stored = () =>
      rows(
        `SELECT (SELECT json_agg(e) FROM webhook_endpoint e WHERE shop_id = s.id) AS webhooks, s.item_cap, s.settings_version,
                (SELECT count(*)::int FROM export_link WHERE shop_id = s.id) AS tokens,
                (SELECT status FROM wishlist_import WHERE shop_id = s.id) AS import
           FROM shop s WHERE id = $1`,
        [shop.id],
      );
    const before = await stored();
    const refused = merchant(service, shop, "13");
    await rows("ALTER TABLE audit ADD CONSTRAINT refused CHECK (staff_id <> '13') NOT VALID");
    try {
      await refused.send("/app/webhooks/new", { intent: "create", url, events: "wishlist.shared" });
      await refused.send(`${path}/edit`, { intent: "save", url, events: "wishlist.item.added" });
      for (const intent of ["pause", "rotate", "delete"]) await refused.send(path, { intent });
      await refused.send("/app/settings", settings);
      await refused.send("/app/settings/data", { intent: "export", format: "csv", guests: "off" });
      await refused.send("/app/settings/data", { intent: "start", id, unknown: "import" });
    } finally {
      await rows("ALTER TABLE audit DROP CONSTRAINT refused");
    }
    expect(await stored()).toEqual(before);
  });
});

describe("the staff activity", () => {
  const subjects = (page: Awaited<ReturnType<typeof listAudit>>) => page.entries.map(({ subject }) => Number(subject));

  test("lists each entry once, newest first, on pages in both directions", async () => {
    await write(shop, 120, 3);
    const first = await listAudit(shop.id, {});
    const second = await listAudit(shop.id, { before: first.entries.at(-1)?.id });
    const third = await listAudit(shop.id, { before: second.entries.at(-1)?.id });
    const all = [first, second, third].flatMap(subjects);
    expect(all).toEqual(Array.from({ length: 120 }, (_, n) => 120 - n));
    expect([first, second, third].map(({ hasNewer, hasOlder }) => [hasNewer, hasOlder])).toEqual([
      [false, true],
      [true, true],
      [true, false],
    ]);
    const back = await listAudit(shop.id, { after: third.entries[0]?.id });
    expect([subjects(back), back.hasNewer, back.hasOlder]).toEqual([subjects(second), true, true]);
  });

  test("can be filtered by area, staff member and customer", async () => {
    await write(shop, 42, 3);
    expect(subjects(await listAudit(shop.id, { area: "plan" }))).toHaveLength(21);
    expect(subjects(await listAudit(shop.id, { staff: "101" }))).toHaveLength(14);
    expect(subjects(await listAudit(shop.id, { area: "plan", staff: "101", customer: "1" }))).toEqual([1]);
    expect((await staffInAudit(shop.id)).map(({ id }) => id)).toEqual(["100", "101", "102"]);
  });

  test("names the operator of a change by the command line, and Shopify for its own", async () => {
    await transaction(shop.id, async (tx) => {
      const plan = { shopId: shop.id, staff: undefined, action: "plan.changed", details: { to: "growth" } } as const;
      await audit(tx, { ...plan, operator: "root" });
      await audit(tx, plan);
    });
    const { entries } = await listAudit(shop.id, {});
    expect(entries.map((entry) => actorName(entry, "1"))).toEqual(["Shopify", "Command line (root)"]);
  });

  test("shows the shop's entries only, and ignores invalid queries", async () => {
    const otherShop = await connectShop(service, shopify);
    await write(otherShop, 3, 1);
    for (const query of [
      "",
      "?area=nonsense&staff=x&before=y",
      "?staff=100",
      "?customer=%00",
      "?area=plan&area=plan",
    ]) {
      const response = await maren.page(`/app/wishlists/audit${query}`);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain("plan.changed");
    }
  });
});

test("entries are purged after a year and erased with the shop", async () => {
  const other = await connectShop(service, shopify);
  await write(shop, 5, 1, 366);
  await write(shop, 2, 1, 364);
  await write(other, 1, 1, 400);
  await purgeAudit(shop.id, new Date(Date.now() - 365 * 24 * 3_600_000));
  const { rows } = service.database;
  const count = () => rows<{ n: number }>("SELECT count(*)::int AS n FROM audit WHERE shop_id = $1", [shop.id]);
  expect(await count()).toEqual([{ n: 2 }]);
  expect((await listAudit(other.id, { area: "plan", staff: "100" })).entries).toHaveLength(1);
  await rows("UPDATE shop SET uninstalled_at = now() WHERE id = $1", [shop.id]);
  await eraseShop(shop.id);
  expect(await count()).toEqual([{ n: 0 }]);
});
