import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { ApiResponse, Call } from "../support/app/client.ts";
import { expectFailure, problemsAt } from "../support/app/failure.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { issueToken, makeShop, type TestShop } from "../support/app/shop.ts";
import { everythingStored, storedWishlist } from "../support/app/stored-rows.ts";
import { test } from "../support/app/fixtures.ts";

interface Link {
  shareToken: string;
  shareUrl: string;
  expiresAt: string;
  sharedBy: string | null;
}

interface LinkRow {
  token_hash: string;
  token_sealed: string;
  expires_at: Date;
  revoked: boolean;
  views: number;
}

let service: InProcessApp;
let call: Call;
let shop: TestShop;

test.override("shopOptions", { plan: "starter" });
test.beforeAll(({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
});

function askToShare(customerId: string, token = shop.token): Promise<ApiResponse> {
  return call("GET", `/v1/wishlists/${customerId}/share`, { token });
}

async function share(customerId: string, token = shop.token): Promise<Link> {
  return (await askToShare(customerId, token)).data<Link>();
}

function unshare(customerId: string, token = shop.token): Promise<ApiResponse> {
  return call("DELETE", `/v1/wishlists/${customerId}/share`, { token });
}

function open(shareToken: string, query = ""): Promise<ApiResponse> {
  return call("GET", `/v1/wishlists/shared/${shareToken}${query}`);
}

async function save(customerId: string, ...products: string[]): Promise<void> {
  for (const product_id of products) {
    const json = { product_id, variant_id: "v" };
    (await call("POST", `/v1/wishlists/${customerId}/items`, { token: shop.token, json })).data();
  }
}

/** Returns the links of a customer's wishlist, oldest first. */
function links(customerId: string): Promise<LinkRow[]> {
  return service.database.rows<LinkRow>(
    `SELECT encode(l.token_hash, 'hex') AS token_hash, l.token_sealed, l.expires_at, l.revoked_at IS NOT NULL AS revoked, l.views
       FROM share_link l JOIN wishlist w ON w.shop_id = l.shop_id AND w.id = l.wishlist_id
      WHERE w.shop_id = $1 AND w.owner_id = $2 ORDER BY l.id`,
    [shop.id, customerId],
  );
}

/** Makes the open link of a customer's wishlist expire a moment ago. */
function expire(customerId: string): Promise<unknown> {
  return service.database.rows(
    `UPDATE share_link l SET expires_at = now() - interval '1 millisecond'
       FROM wishlist w WHERE w.shop_id = l.shop_id AND w.id = l.wishlist_id AND w.shop_id = $1 AND w.owner_id = $2`,
    [shop.id, customerId],
  );
}

/** Returns a token of a new key, because instances cache the shop by key. */
async function tokenOfNewKey(shopId: number): Promise<string> {
  return issueToken(call, shopId);
}

test("a share creates a link with a random token", async () => {
  const response = await askToShare("c1");
  const link = response.data<Link>();
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("etag")).toBeNull();
  expect(link.shareToken).toMatch(/^[0-9A-Za-z]+_[0-9A-Za-z]{22}$/);
  const [row] = await links("c1");
  expect(response.body).toEqual({
    ok: true,
    data: {
      shareToken: link.shareToken,
      shareUrl: `https://${shop.domain}/apps/wishlist/shared/${link.shareToken}`,
      expiresAt: row?.expires_at.toISOString(),
      sharedBy: null,
    },
  });
});

test("a share creates one event with the shared list", async () => {
  await save("event", "p1", "p2");
  await share("event");
  const stored = await storedWishlist(service.database, shop.id, "event");
  expect(stored?.activity.slice(2)).toEqual([
    { kind: "shared", source: "api", product_id: null, variant_id: null, version: stored?.version, item_count: 2 },
  ]);
  expect(stored?.item_count).toBe(2);
});

test("a share on the free plan is refused and stores nothing", async () => {
  const free = await makeShop(service, call, { plan: "free" });
  const before = await everythingStored(service.database);
  expectFailure(await askToShare("c1", free.token), 403, "plan_required", { requiredPlan: "starter" });
  expect(await everythingStored(service.database)).toEqual(before);
});

test("a share is allowed on plans above Starter", async () => {
  const growth = await makeShop(service, call, { plan: "growth" });
  expect((await askToShare("c1", growth.token)).status).toBe(200);
});

test("a repeated share returns the same link without a second event", async () => {
  const first = await share("again");
  const before = await everythingStored(service.database);
  expect(await share("again")).toEqual(first);
  expect(await share("gid:%2F%2Fshopify%2FCustomer%2Fagain")).toEqual(first);
  await save("again", "p1");
  expect(await share("again")).toEqual(first);
  const after = await everythingStored(service.database);
  expect(after.links).toEqual(before.links);
});

test("twenty concurrent shares return one link and create one event", async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => share("race")));
  expect(new Set(all.map((link) => JSON.stringify(link))).size).toBe(1);
  expect(await links("race")).toHaveLength(1);
  const stored = await storedWishlist(service.database, shop.id, "race");
  expect(stored?.activity.map(({ kind }) => kind)).toEqual(["shared"]);
});

test("twenty concurrent shares after the link expired return one new link", async () => {
  const old = await share("race-expired");
  await expire("race-expired");
  const all = await Promise.all(Array.from({ length: 20 }, () => share("race-expired")));
  expect(new Set(all.map(({ shareToken }) => shareToken)).size).toBe(1);
  expect(all[0]?.shareToken).not.toBe(old.shareToken);
  expect(await links("race-expired")).toHaveLength(2);
});

test("each customer has a separate link", async () => {
  expect((await share("left")).shareToken).not.toBe((await share("right")).shareToken);
});

test.each([
  [30, undefined],
  [1, 1],
  [365, 365],
])("a link lasts %i days (shop setting: %j)", async (days, setting) => {
  const at = await makeShop(service, call, { plan: "starter" });
  if (setting !== undefined)
    await service.database.rows("UPDATE shop SET share_link_days = $2 WHERE id = $1", [at.id, setting]);
  const { expiresAt } = await share("c1", at.token);
  const rows = await service.database.rows<{ lasts: number; expires_at: Date }>(
    "SELECT extract(epoch FROM expires_at - created_at)::int / 86400 AS lasts, expires_at FROM share_link WHERE shop_id = $1",
    [at.id],
  );
  expect(rows).toEqual([{ lasts: days, expires_at: new Date(expiresAt) }]);
  expect(expiresAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("a share link shows the list, newest first, without authentication", async () => {
  await save("reader", "p1", "p2");
  const { shareToken, expiresAt } = await share("reader");
  const response = await open(shareToken);
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  const stored = await storedWishlist(service.database, shop.id, "reader");
  expect(response.body).toEqual({
    ok: true,
    data: {
      items: stored?.items.map(({ product_id, variant_id, added_at }) => ({
        productId: product_id,
        variantId: variant_id,
        addedAt: added_at,
      })),
      count: 2,
      total: 2,
      has_more: false,
      expiresAt,
    },
  });
  expect(stored?.items.map(({ product_id }) => product_id)).toEqual(["p2", "p1"]);
});

test("a share link shows later changes of the list", async () => {
  const { shareToken } = await share("live");
  const products = async () =>
    (await open(shareToken)).data<{ items: { productId: string }[] }>().items.map(({ productId }) => productId);
  expect(await products()).toEqual([]);
  await save("live", "p1", "p2");
  expect(await products()).toEqual(["p2", "p1"]);
  await call("DELETE", "/v1/wishlists/live/items/p2", { token: shop.token });
  expect(await products()).toEqual(["p1"]);
});

test.each([
  ["an invalid one", () => "garbage"],
  ["an expired-looking one", () => `${shop.token}x`],
  ["that of the shop", () => shop.token],
])("an unneeded access token (%s) does not block a shared list", async (_which, token) => {
  const { shareToken } = await share("reader");
  const response = await call("GET", `/v1/wishlists/shared/${shareToken}`, { token: token() });
  expect(response.status).toBe(200);
});

test("a shared list reveals nothing about owner, shop, key or wishlist id", async () => {
  const owner = "customer-7012503486663";
  await save(owner, "p1");
  const { shareToken } = await share(owner);
  const { text, headers } = await open(shareToken);
  const responseText = text + JSON.stringify([...headers]);
  for (const secret of [owner, "7012503486663", shop.domain, shop.keyId, shareToken])
    expect(responseText).not.toContain(secret);
  const { data } = JSON.parse(text) as { data: { items: object[] } };
  expect(Object.keys(data).sort()).toEqual(["count", "expiresAt", "has_more", "items", "total"]);
  expect(Object.keys(data.items[0] ?? {}).sort()).toEqual(["addedAt", "productId", "variantId"]);
  expect(headers.get("etag")).toBeNull();
});

function nameSharer(path: string, shared_by: unknown): Promise<ApiResponse> {
  return call("PATCH", `/v1/wishlists/${path}/share`, { token: shop.token, json: { shared_by } });
}

test("a sharer's name is shown with the link until it is removed", async () => {
  const { sharedBy, ...link } = await share("ana");
  expect(sharedBy).toBeNull();
  const name = 'Ana & <b>Ben</b> "O’Neil"';
  expect((await nameSharer("ana", ` ${name} `)).data()).toEqual({ ...link, sharedBy: name });
  expect(await share("ana")).toEqual({ ...link, sharedBy: name });
  expect((await open(link.shareToken)).data()).toMatchObject({ sharedBy: name });
  expect((await nameSharer("ana", null)).data()).toEqual({ ...link, sharedBy: null });
  expect((await open(link.shareToken)).data()).not.toHaveProperty("sharedBy");
  expect((await storedWishlist(service.database, shop.id, "ana"))?.activity.map(({ kind }) => kind)).toEqual([
    "shared",
  ]);
});

test("a name shares a list that is not shared yet", async () => {
  const link = (await nameSharer("names", "Ana")).data<Link>();
  expect((await open(link.shareToken)).data()).toMatchObject({ sharedBy: "Ana" });
});

test("a new link takes over the name of the customer's last link, and no other customer's", async () => {
  (await nameSharer("remembers", "Ana")).data();
  (await unshare("remembers")).data();
  const again = await share("remembers");
  expect(again.sharedBy).toBe("Ana");
  expect((await share("does-not")).sharedBy).toBeNull();
  (await nameSharer("remembers", null)).data();
  (await unshare("remembers")).data();
  expect((await share("remembers")).sharedBy).toBeNull();
});

test("each list's link has a name of its own", async () => {
  const growth = await makeShop(service, call, { plan: "growth" });
  const owner = { token: growth.token, json: { name: "Birthday" } };
  const { listId } = (await call("POST", "/v1/wishlists/lists/lists", owner)).data<{ listId: string }>();
  const links = { default: "/v1/wishlists/lists/share", named: `/v1/wishlists/lists/lists/${listId}/share` };
  const json = { shared_by: "Ana" };
  (await call("GET", links.default, { token: growth.token })).data();
  (await call("PATCH", links.named, { token: growth.token, json })).data();
  const nameOf = async (path: string) => (await call("GET", path, { token: growth.token })).data<Link>().sharedBy;
  expect([await nameOf(links.default), await nameOf(links.named)]).toEqual([null, "Ana"]);
});

test.each([
  ["empty", " "],
  ["longer than 60 characters", "n".repeat(61)],
  ["of two lines", "Ana\nBen"],
  ["with a control character", "Ana\u0007"],
  ["that reverses the text around it", "Ana\u202e"],
  ["that is no text", 7],
])("a sharer's name %s gets 400 and changes nothing", async (_, name) => {
  (await nameSharer("bad", "Ana")).data();
  const before = await everythingStored(service.database);
  expectFailure(await nameSharer("bad", name), 400, "invalid_request", problemsAt("body.shared_by"));
  expect(await everythingStored(service.database)).toEqual(before);
});

test("a sharer's name of 60 characters in any script is kept", async () => {
  const name = "𝓐".repeat(60);
  expect((await nameSharer("long", name)).data()).toMatchObject({ sharedBy: name });
});

test("a name on the free plan is refused and stores nothing", async () => {
  const free = await makeShop(service, call, { plan: "free" });
  const json = { shared_by: "Ana" };
  const response = await call("PATCH", "/v1/wishlists/a/share", { token: free.token, json });
  expectFailure(response, 403, "plan_required", { requiredPlan: "starter" });
  expect(await storedWishlist(service.database, free.id, "a")).toBeUndefined();
});

test("a shared list has pages of up to 200 items", async () => {
  const items = Array.from({ length: 203 }, (_, i) => ({
    productId: `p${i}`,
    variantId: "v",
    addedAt: new Date(Date.UTC(2026, 0, 1) - i).toISOString(),
  }));
  await call("POST", "/v1/wishlists/pages/merge", { token: shop.token, json: { items } });
  const { shareToken, expiresAt } = await share("pages");
  const slices: [query: string, offset: number, count: number, has_more: boolean][] = [
    ["", 0, 200, true],
    ["?offset=200", 200, 3, false],
    ["?limit=2&offset=1", 1, 2, true],
    ["?limit=3&offset=200", 200, 3, false],
    ["?offset=500", 500, 0, false],
  ];
  for (const [query, offset, count, has_more] of slices) {
    expect((await open(shareToken, query)).data()).toEqual({
      items: items.slice(offset, offset + count),
      count,
      total: 203,
      has_more,
      expiresAt,
    });
  }
});

test.each(["limit=0", "limit=201", "limit=abc", "offset=-1", "limit=1&limit=1", "page=2", "_data=x", "index"])(
  "a shared read with `?%s` is refused",
  async (query) => {
    const { shareToken } = await share("reader");
    const [place = ""] = query.split("=");
    expectFailure(await open(shareToken, `?${query}`), 400, "invalid_request", problemsAt(`query.${place}`));
  },
);

test.each([
  "3tVbN0qLr8kZcX5yPw1aHs",
  "x",
  "items",
  "merge",
  "share",
  "shared",
  "..%2F..%2Fhealthz",
  "%27+OR+%271%27=%271",
  "a".repeat(255),
])("the unknown token %s gets 404", async (token) => {
  expectFailure(await open(token), 404, "share_not_found");
});

test.each(["a".repeat(256), "a%20b", "%00", "%0a", "%C3%A9"])("the malformed token (%s) gets 400", async (token) => {
  expectFailure(await open(token), 400, "invalid_request", problemsAt("path.shareToken"));
});

test("a token that names another shop opens no list", async () => {
  const { shareToken } = await share("named");
  const other = await makeShop(service, call, { plan: "starter" });
  const otherToken = (await share("named", other.token)).shareToken;
  const forged = `${otherToken.split("_")[0] ?? ""}_${shareToken.split("_")[1] ?? ""}`;
  expectFailure(await open(forged), 404, "share_not_found");
});

test("a stored token hash or an almost right token opens no list", async () => {
  const { shareToken } = await share("near");
  const [row] = await links("near");
  if (!row) throw new Error("no link");
  const swapped = shareToken.replace(/[a-z]/gi, (character) =>
    character === character.toUpperCase() ? character.toLowerCase() : character.toUpperCase(),
  );
  const tries = [swapped, shareToken.slice(0, -1), `${shareToken}0`, row.token_hash, row.token_sealed];
  for (const tried of tries) {
    expectFailure(await open(encodeURIComponent(tried)), 404, "share_not_found");
  }
});

test("a share token is stored nowhere in a usable form", async () => {
  const { shareToken } = await share("dump");
  const tables = await service.database.rows<{ table: string }>(
    `SELECT quote_ident(tablename) AS table FROM pg_tables WHERE schemaname = 'public'`,
  );
  expect(tables.length).toBeGreaterThan(5);
  const dumps = await Promise.all(
    tables.map(({ table }) => service.database.rows<{ row: string }>(`SELECT t::text AS row FROM ${table} t`)),
  );
  const dump = dumps.flatMap((rows) => rows.map(({ row }) => row)).join("\n");
  const bytes = Buffer.from(shareToken);
  for (const form of [shareToken, bytes.toString("hex"), bytes.toString("base64url"), bytes.toString("base64")]) {
    expect(dump).not.toContain(form);
  }
  expect(dump).toContain(createHash("sha256").update(shareToken).digest("hex"));
});

test("an expired link gets 410 and stays invalid after a new share", async () => {
  await save("expires", "p1");
  const old = await share("expires");
  await expire("expires");
  expectFailure(await open(old.shareToken), 410, "share_expired");
  const next = await share("expires");
  expect(next.shareToken).not.toBe(old.shareToken);
  expect((await open(next.shareToken)).status).toBe(200);
  expectFailure(await open(old.shareToken), 410, "share_expired");
  const stored = await storedWishlist(service.database, shop.id, "expires");
  expect(stored?.activity.map(({ kind }) => kind)).toEqual(["added", "shared", "shared"]);
});

test("a revoked link gets 410, and sharing again creates another", async () => {
  const old = await share("revokes");
  const response = await unshare("revokes");
  expect([response.status, response.body]).toEqual([200, { ok: true, data: { revoked: true } }]);
  expectFailure(await open(old.shareToken), 410, "share_expired");
  const next = await share("revokes");
  expect(next.shareToken).not.toBe(old.shareToken);
  expect((await open(next.shareToken)).status).toBe(200);
  expectFailure(await open(old.shareToken), 410, "share_expired");
});

test("expired and revoked links get the same response", async () => {
  const expired = await share("told-1");
  await expire("told-1");
  const revoked = await share("told-2");
  await unshare("told-2");
  const [one, other] = await Promise.all([open(expired.shareToken), open(revoked.shareToken)]);
  expect({ ...one.error(), requestId: "" }).toEqual({ ...other.error(), requestId: "" });
});

test("a revoke of an unshared list responds `revoked: false` and changes nothing", async () => {
  await save("never-shared", "p1");
  await share("revoked-before");
  await unshare("revoked-before");
  await share("expired-before");
  await expire("expired-before");
  const before = await everythingStored(service.database);
  for (const customer of ["nobody", "never-shared", "revoked-before", "expired-before"]) {
    const response = await unshare(customer);
    expect([response.status, response.body]).toEqual([200, { ok: true, data: { revoked: false } }]);
  }
  expect(await everythingStored(service.database)).toEqual(before);
});

test("a revoke keeps another customer's link", async () => {
  const mine = await share("mine");
  const yours = await share("yours");
  await unshare("mine");
  expectFailure(await open(mine.shareToken), 410, "share_expired");
  expect((await open(yours.shareToken)).status).toBe(200);
});

test("a downgrade keeps links readable and revocable, and allows no new ones", async () => {
  const dropping = await makeShop(service, call, { plan: "starter" });
  const { shareToken } = await share("c1", dropping.token);
  await service.database.rows("UPDATE shop SET plan = 'free' WHERE id = $1", [dropping.id]);
  expect((await open(shareToken)).status).toBe(200);
  const token = await tokenOfNewKey(dropping.id);
  const before = await everythingStored(service.database);
  expectFailure(await askToShare("c1", token), 403, "plan_required", { requiredPlan: "starter" });
  expectFailure(await askToShare("c2", token), 403, "plan_required", { requiredPlan: "starter" });
  expect((await everythingStored(service.database)).activity).toEqual(before.activity);
  expect((await unshare("c1", token)).data()).toEqual({ revoked: true });
  expectFailure(await open(shareToken), 410, "share_expired");
});

test("the links of an uninstalled shop get the response for unknown ones", async () => {
  const leaving = await makeShop(service, call, { plan: "starter" });
  const open1 = await share("c1", leaving.token);
  const revoked = await share("c2", leaving.token);
  await unshare("c2", leaving.token);
  await service.database.rows("UPDATE shop SET uninstalled_at = now() WHERE id = $1", [leaving.id]);
  const unknown = (await open("nobodys")).error();
  for (const { shareToken } of [open1, revoked]) {
    const response = await open(shareToken);
    expectFailure(response, 404, "share_not_found");
    expect({ ...response.error(), requestId: "" }).toEqual({ ...unknown, requestId: "" });
  }
});

test("a read counts as a view; HEAD and a refused read do not", async () => {
  const { shareToken } = await share("views");
  const views = async () => (await links("views")).map((link) => link.views);
  await open(shareToken);
  await open(shareToken, "?limit=1");
  expect(await views()).toEqual([2]);
  const head = await call("HEAD", `/v1/wishlists/shared/${shareToken}`);
  expect([head.status, head.text]).toEqual([200, ""]);
  await open(shareToken, "?limit=0");
  await unshare("views");
  await open(shareToken);
  expect(await views()).toEqual([2]);
});

test("HEAD on a share gets 405 and creates no link", async () => {
  const before = await everythingStored(service.database);
  const response = await call("HEAD", "/v1/wishlists/head/share", { token: shop.token });
  expect([response.status, response.text]).toEqual([405, ""]);
  expect(response.headers.get("allow")).toBe("GET, PATCH, DELETE, OPTIONS");
  expect(await everythingStored(service.database)).toEqual(before);
});

test.each(["?days=7", "?index", "?_data=x", "?limit=1"])(
  "sharing with %s is refused and creates no link",
  async (query) => {
    const before = await everythingStored(service.database);
    const response = await call("GET", `/v1/wishlists/q/share${query}`, { token: shop.token });
    const place = query.slice(1).split("=")[0] ?? "";
    expectFailure(response, 400, "invalid_request", problemsAt(`query.${place}`));
    expect(await everythingStored(service.database)).toEqual(before);
  },
);
