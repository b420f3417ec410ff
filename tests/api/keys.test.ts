import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { ALL_SCOPES, createKey, KEY_CAP, listKeys, revokeKey, rotateKey } from "../../app/access/index.server.ts";
import type { IssuedKey } from "../../app/access/index.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { listShops, setPlan } from "../../app/shops/index.server.ts";
import { client, type ApiResponse, type Call } from "../support/app/client.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { exchange, makeShop, type TestShop } from "../support/app/shop.ts";
import { until } from "../support/until.ts";

/** A server process with its own name in the database. */
interface Instance {
  name: string;
  service: InProcessApp;
  call: Call;
}

let database: TestDatabase;
let instances: [Instance, Instance];
let shop: TestShop;

/** Milliseconds between the polls of the instances, which are a second apart in production. */
const POLL_MS = 100;

async function start(name: string): Promise<Instance> {
  const service = await startApp({
    database,
    // Background work would reuse a poll's connection at once, and `twoPolls` would miss the poll.
    env: { DATABASE_URL: `${database.url}?application_name=${name}`, WISHLIST_ROLE: "web" },
  });
  return { name, service, call: client(service) };
}

beforeAll(async () => {
  database = await createDatabase();
  const repeat = setInterval;
  vi.stubGlobal("setInterval", (work: () => void, ms: number) => repeat(work, ms === 1_000 ? POLL_MS : ms));
  instances = [await start("first"), await start("second")];
  vi.unstubAllGlobals();
  // Allows concurrent creations and rotations.
  provideSettings({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: "10" });
  await listShops();
  shop = await makeShop(instances[0].service, instances[0].call);
  await age(shop.id);
});
afterAll(async () => {
  await closeDatabase();
  for (const { service } of instances) await service.dispose();
  await database.drop();
});

/**
 * Waits until an instance has polled twice for changes. The second poll starts after the first, so it includes everything
 * that was committed before.
 */
async function twoPolls({ name }: Instance): Promise<void> {
  const [since] = await database.rows<{ at: string }>("SELECT clock_timestamp()::text AS at");
  const seen = new Set<string>();
  await until(`two polls of the ${name} instance`, async () => {
    const polls = await database.rows<{ at: string }>(
      `SELECT query_start::text AS at FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = $1 AND state = 'idle' AND query_start > $2::timestamptz
          AND query LIKE '%changed_at > now()%'`,
      [name, since?.at],
    );
    for (const { at } of polls) seen.add(at);
    return seen.size >= 2;
  });
}

async function allHavePolledTwice(): Promise<void> {
  await Promise.all(instances.map(twoPolls));
}

/** Makes a shop and its keys old: an instance polls for recent changes only. */
async function age(shopId: number): Promise<void> {
  await withoutTrigger("shop_set_changed_at", "shop", () =>
    database.rows("UPDATE shop SET changed_at = now() - interval '1 hour' WHERE id = $1", [shopId]),
  );
  await database.rows("UPDATE api_key SET changed_at = now() - interval '1 hour' WHERE shop_id = $1", [shopId]);
}

async function newKey(more: Partial<Parameters<typeof createKey>[1]> = {}): Promise<IssuedKey> {
  const key = await transaction(shop.id, (tx) =>
    createKey(tx, { shopId: shop.id, name: "a key", scopes: ALL_SCOPES, ...more }),
  );
  if (key instanceof Failure) throw new Error(key.message);
  await database.rows("UPDATE api_key SET changed_at = now() - interval '1 hour' WHERE key_id = $1", [key.keyId]);
  return key;
}

/** Rotates a key that must be rotatable. */
async function rotate(keyId: string, overlap: number, shopId = shop.id): Promise<IssuedKey> {
  const successor = await transaction(shopId, (tx) => rotateKey(tx, shopId, keyId, overlap));
  if (!successor || successor instanceof Failure) throw new Error(successor?.message ?? "the key was not rotated");
  const { secret } = successor;
  if (secret === undefined) throw new Error("the key has no secret");
  return { ...successor, secret };
}

async function revoke(keyId: string): Promise<void> {
  expect(await transaction(shop.id, (tx) => revokeKey(tx, shop.id, keyId))).toBeDefined();
}

/** Returns a token of a key that both instances have cached. */
async function tokenInUse(key: { keyId: string; secret: string }): Promise<string> {
  const token = await exchange(instances[0].call, key);
  for (const instance of instances) expect((await use(instance, token)).status).toBe(200);
  return token;
}

function use({ call }: Instance, token: string): Promise<ApiResponse> {
  return call("GET", "/v1/wishlists/c1", { token });
}

function tryExchange({ call }: Instance, key: { keyId: string; secret: string }): Promise<ApiResponse> {
  return call("POST", "/v1/auth/token", { json: { api_key: key.keyId, api_secret: key.secret } });
}

async function expectRefused(token: string): Promise<void> {
  for (const instance of instances) {
    const response = await use(instance, token);
    expect({ at: instance.name, status: response.status }).toEqual({ at: instance.name, status: 401 });
    expect(response.error().code).toBe("invalid_token");
  }
}

async function expectAccepted(token: string): Promise<void> {
  for (const instance of instances) expect((await use(instance, token)).status).toBe(200);
}

async function eventuallyRefused(token: string): Promise<void> {
  for (const instance of instances) {
    const refused = async (): Promise<boolean> => (await use(instance, token)).status === 401;
    await until(`the ${instance.name} instance to refuse a token`, refused);
  }
}

/** Runs `work` while changes of a table are not marked, not announced, or neither. */
async function withoutTrigger(name: string, table: "api_key" | "shop", work: () => Promise<unknown>): Promise<void> {
  await database.pool.query(`ALTER TABLE ${table} DISABLE TRIGGER ${name}`);
  try {
    await work();
  } finally {
    await database.pool.query(`ALTER TABLE ${table} ENABLE TRIGGER ${name}`);
  }
}

describe.concurrent("a revoked key", () => {
  test("is refused with its tokens on every instance within two polls", async () => {
    const key = await newKey();
    const other = await tokenInUse(await newKey());
    const token = await tokenInUse(key);
    await revoke(key.keyId);
    await allHavePolledTwice();
    await expectRefused(token);
    await expectAccepted(other);
    for (const instance of instances) {
      const response = await tryExchange(instance, key);
      expect({ status: response.status, code: response.error().code }).toEqual({
        status: 401,
        code: "invalid_credentials",
      });
    }
  });

  test("is refused when an operator revokes it in SQL", async () => {
    const key = await newKey();
    const token = await tokenInUse(key);
    await database.rows("UPDATE api_key SET revoked_at = now() WHERE key_id = $1", [key.keyId]);
    await allHavePolledTwice();
    await expectRefused(token);
  });

  test("is refused with a token that was issued a moment before", async () => {
    const key = await newKey();
    const token = await exchange(instances[0].call, key);
    await revoke(key.keyId);
    await allHavePolledTwice();
    await expectRefused(token);
  });

  test("is refused when its row is deleted", async () => {
    const key = await newKey();
    const token = await tokenInUse(key);
    await database.rows("DELETE FROM api_key WHERE key_id = $1", [key.keyId]);
    await eventuallyRefused(token);
  });

  test("can be revoked again, unlike an unknown or another shop's key", async () => {
    const key = await newKey();
    await revoke(key.keyId);
    const [before] = await database.rows("SELECT revoked_at FROM api_key WHERE key_id = $1", [key.keyId]);
    await revoke(key.keyId);
    expect(await database.rows("SELECT revoked_at FROM api_key WHERE key_id = $1", [key.keyId])).toEqual([before]);
    expect(await transaction(shop.id, (tx) => revokeKey(tx, shop.id, "wlk_unknown"))).toBeUndefined();
    const other = await makeShop(instances[0].service, instances[0].call);
    expect(await transaction(shop.id, (tx) => revokeKey(tx, shop.id, other.keyId))).toBeUndefined();
    await expectAccepted(other.token);
  });
});

/** One after the other, because they change what all tests of the file see. */
describe("a revoked key, when notifications or polls are missing", () => {
  test("is refused by polling when there was no notification", async () => {
    const key = await newKey();
    const token = await tokenInUse(key);
    await withoutTrigger("api_key_notify_changed", "api_key", () => revoke(key.keyId));
    await allHavePolledTwice();
    await expectRefused(token);
  });

  test("is refused by the notification when polling cannot find it", async () => {
    const key = await newKey();
    const token = await tokenInUse(key);
    await withoutTrigger("api_key_set_changed_at", "api_key", () => revoke(key.keyId));
    await eventuallyRefused(token);
  });

  test("is refused when its notification is lost with the listening connection", async () => {
    const key = await newKey();
    const token = await tokenInUse(key);
    const ended = await database.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query ~ '^(LISTEN|SELECT 1$|SELECT pg_backend_pid)'`,
    );
    expect(ended).toHaveLength(instances.length);
    await revoke(key.keyId);
    await allHavePolledTwice();
    await expectRefused(token);

    // The instances listen again, so that a notification alone reaches them.
    await until("all instances to listen again", async () => {
      const listening = await database.rows(
        // The first statement after those that listen.
        `SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND query ~ '^(SELECT 1$|SELECT pg_backend_pid)'`,
      );
      return listening.length === instances.length;
    });
    const next = await newKey();
    const nextToken = await tokenInUse(next);
    await withoutTrigger("api_key_set_changed_at", "api_key", () => revoke(next.keyId));
    await eventuallyRefused(nextToken);
  });

  test("is refused when the revocation commits late and without a notification", async () => {
    const key = await newKey();
    const token = await tokenInUse(key);
    await withoutTrigger("api_key_notify_changed", "api_key", async () => {
      const revoking = await database.pool.connect();
      try {
        await revoking.query("BEGIN");
        await revoking.query("UPDATE api_key SET revoked_at = now() WHERE key_id = $1", [key.keyId]);
        await allHavePolledTwice();
        await expectAccepted(token);
        // A poll reads ten seconds back. Without this line the time that the test took would count.
        const [time] = await database.rows<{ at: string }>(
          "SELECT (clock_timestamp() - interval '2 seconds')::text AS at",
        );
        await revoking.query("UPDATE api_key SET changed_at = $2 WHERE key_id = $1", [key.keyId, time?.at]);
        await revoking.query("COMMIT");
      } finally {
        revoking.release(true);
      }
    });
    await allHavePolledTwice();
    await expectRefused(token);
  });

  test("is refused by an instance whose polls fail", async () => {
    const key = await newKey();
    const token = await tokenInUse(key);
    // Polls fail while the column has another name; reading and changing keys works.
    await database.rows("ALTER TABLE shop RENAME COLUMN changed_at TO changed_at_away");
    try {
      await Promise.all(
        instances.map(async ({ name, service }) => {
          const failed = (): number =>
            service.log().filter(({ msg }) => String(msg).startsWith("could not poll")).length;
          const before = failed();
          await until(`a failed poll of the ${name} instance`, () => failed() > before);
        }),
      );
      // Longer than an instance trusts its cache without a poll.
      const time = performance.now.bind(performance);
      vi.spyOn(performance, "now").mockImplementation(() => time() + 5_000);
      onTestFinished(() => void vi.restoreAllMocks());
      await expectAccepted(token);
      await withoutTrigger("api_key_notify_changed", "api_key", () => revoke(key.keyId));
      await expectRefused(token);
      // When polls succeed again, the change is older than their window.
      await database.rows("UPDATE api_key SET changed_at = now() - interval '1 hour' WHERE key_id = $1", [key.keyId]);
    } finally {
      await database.rows("ALTER TABLE shop RENAME COLUMN changed_at_away TO changed_at");
    }
    await allHavePolledTwice();
    await expectRefused(token);
    await expectAccepted(shop.token);
  });
});

test("a change of plan takes effect without a notification", async () => {
  const { id, token } = await makeShop(instances[0].service, instances[0].call, { plan: "free" });
  await age(id);
  for (const { call } of instances) expect((await call("GET", "/v1/wishlists/c/share", { token })).status).toBe(403);
  await withoutTrigger("shop_notify_changed", "shop", () => transaction(id, (tx) => setPlan(tx, id, "starter")));
  await allHavePolledTwice();
  for (const { call } of instances) expect((await call("GET", "/v1/wishlists/c/share", { token })).status).toBe(200);
});

describe.concurrent("a key with an expiry", () => {
  test("is accepted until it expires, without a notification", async () => {
    const key = await newKey();
    const token = await tokenInUse(key);
    await database.rows("UPDATE api_key SET expires_at = now() + interval '1 second' WHERE key_id = $1", [key.keyId]);
    await eventuallyRefused(token);
    const ended = await database.rows("SELECT 1 FROM api_key WHERE key_id = $1 AND expires_at <= now()", [key.keyId]);
    expect(ended).toHaveLength(1);
    expect((await tryExchange(instances[0], key)).error().code).toBe("invalid_credentials");
  });

  test("is refused when its expiry is moved into the past", async () => {
    const key = await newKey({ expiresAt: new Date(Date.now() + 3_600_000) });
    const token = await tokenInUse(key);
    await database.rows("UPDATE api_key SET expires_at = now() - interval '1 second' WHERE key_id = $1", [key.keyId]);
    await eventuallyRefused(token);
  });
});

describe.concurrent("a change of the shop", () => {
  test("of plan changes the permission to share, and shared lists stay readable", async () => {
    const { id, token } = await makeShop(instances[0].service, instances[0].call, { plan: "starter" });
    const share = ({ call }: Instance): Promise<ApiResponse> => call("GET", "/v1/wishlists/c1/share", { token });
    const { shareToken } = (await share(instances[0])).data<{ shareToken: string }>();
    expect((await share(instances[1])).data<{ shareToken: string }>().shareToken).toBe(shareToken);

    expect(await transaction(id, (tx) => setPlan(tx, id, "free"))).toMatchObject({
      shop: { id, plan: "free" },
      before: "starter",
    });
    for (const instance of instances) {
      const refused = async (): Promise<ApiResponse | false> => {
        const response = await share(instance);
        return response.status !== 200 && response;
      };
      const response = await until(`the ${instance.name} instance to hear of the plan`, refused);
      expect({ status: response.status, code: response.error().code }).toEqual({ status: 403, code: "plan_required" });
      expect(response.error().details).toEqual({ requiredPlan: "starter" });
      expect((await instance.call("GET", `/v1/wishlists/shared/${shareToken}`)).status).toBe(200);
    }

    await transaction(id, (tx) => setPlan(tx, id, "growth"));
    for (const instance of instances) {
      const granted = async (): Promise<ApiResponse | false> => {
        const response = await share(instance);
        return response.status !== 403 && response;
      };
      const response = await until(`the ${instance.name} instance to hear of the plan`, granted);
      expect(response.data<{ shareToken: string }>().shareToken).toBe(shareToken);
    }
  });

  test("that uninstalls it disables keys, tokens and links until it is installed again", async () => {
    const uninstalled = await makeShop(instances[0].service, instances[0].call);
    const { id, token } = uninstalled;
    for (const instance of instances) expect((await use(instance, token)).status).toBe(200);
    const link = await instances[0].call("GET", "/v1/wishlists/c1/share", { token });
    const { shareToken } = link.data<{ shareToken: string }>();

    await database.rows("UPDATE shop SET uninstalled_at = now() WHERE id = $1", [id]);
    await eventuallyRefused(token);
    for (const instance of instances) {
      expect((await tryExchange(instance, uninstalled)).error().code).toBe("invalid_credentials");
      expect((await instance.call("GET", `/v1/wishlists/shared/${shareToken}`)).error().code).toBe("share_not_found");
    }
    await expectAccepted(shop.token);

    await database.rows("UPDATE shop SET uninstalled_at = NULL WHERE id = $1", [id]);
    for (const instance of instances) {
      const accepted = async (): Promise<boolean> => (await use(instance, token)).status === 200;
      await until(`the ${instance.name} instance to accept a token again`, accepted);
    }
    expect((await instances[1].call("GET", `/v1/wishlists/shared/${shareToken}`)).status).toBe(200);
  });
});

describe.concurrent("scopes", () => {
  test("removed from a key are removed from its issued tokens", async () => {
    const key = await newKey();
    const token = await tokenInUse(key);
    await database.rows("UPDATE api_key SET scopes = '{read_wishlists}' WHERE key_id = $1", [key.keyId]);
    for (const instance of instances) {
      const json = { product_id: "p", variant_id: "v" };
      const added = await until(`the ${instance.name} instance to hear of the scopes`, async () => {
        const response = await instance.call("POST", "/v1/wishlists/c1/items", { token, json });
        return response.status !== 200 && response;
      });
      expect({ status: added.status, code: added.error().code }).toEqual({ status: 403, code: "insufficient_scope" });
      expect((await use(instance, token)).status).toBe(200);
    }
  });

  test("added to a key are not added to its issued tokens", async () => {
    const key = await newKey({ scopes: ["read_wishlists"] });
    const token = await tokenInUse(key);
    await database.rows("UPDATE api_key SET scopes = '{read_wishlists,write_wishlists}' WHERE key_id = $1", [
      key.keyId,
    ]);
    const json = { product_id: "p", variant_id: "v" };
    for (const { name, call } of instances) {
      const add = (by: string): Promise<ApiResponse> => call("POST", "/v1/wishlists/c1/items", { token: by, json });
      // An instance that accepts the new token for writing knows the key's new scopes.
      await until(`the ${name} instance to hear of the scopes`, async () => {
        return (await add(await exchange(call, key))).status === 200;
      });
      const before = await add(token);
      expect({ status: before.status, code: before.error().code }).toEqual({ status: 403, code: "insufficient_scope" });
    }
  });
});

describe.concurrent("a rotation", () => {
  const HOUR = 3_600_000;

  test("with an overlap keeps the old key and its tokens valid until its end", async () => {
    const old = await newKey({ name: "shop front", scopes: ["read_wishlists", "write_wishlists"] });
    const token = await tokenInUse(old);
    const successor = await rotate(old.keyId, HOUR);
    expect(successor).toMatchObject({ name: "shop front", scopes: old.scopes, expiresAt: null, revokedAt: null });
    expect(successor.secret).not.toBe(old.secret);

    const fresh = await tokenInUse(successor);
    await allHavePolledTwice();
    await expectAccepted(token);
    await expectAccepted(await exchange(instances[1].call, old));

    // Ends the overlap.
    await database.rows("UPDATE api_key SET expires_at = now() - interval '1 second' WHERE key_id = $1", [old.keyId]);
    await eventuallyRefused(token);
    expect((await tryExchange(instances[1], old)).error().code).toBe("invalid_credentials");
    await expectAccepted(fresh);
  });

  test("with an overlap ends the old key when it is over", async () => {
    const old = await newKey();
    const token = await tokenInUse(old);
    const successor = await rotate(old.keyId, 1_000);
    await eventuallyRefused(token);
    expect((await tryExchange(instances[0], successor)).status).toBe(200);
  });

  test("without an overlap ends the old key immediately", async () => {
    const old = await newKey();
    const token = await tokenInUse(old);
    const successor = await rotate(old.keyId, 0);
    await eventuallyRefused(token);
    expect((await tryExchange(instances[0], old)).error().code).toBe("invalid_credentials");
    expect((await tryExchange(instances[0], successor)).status).toBe(200);
  });

  test("keeps name, kind, scopes and expiry of the key", async () => {
    const expiresAt = new Date(Date.now() + 24 * HOUR);
    const old = await newKey({ name: "front", kind: "storefront_server", scopes: ["read_wishlists"], expiresAt });
    const { name, kind, scopes, expiresAt: expires } = await rotate(old.keyId, HOUR);
    expect({ name, kind, scopes, expires }).toEqual({
      name: "front",
      kind: "storefront_server",
      scopes: ["read_wishlists"],
      expires: expiresAt,
    });
  });

  test("with an overlap is refused at the maximum of active keys", async () => {
    const { id } = await makeShop(instances[0].service, instances[0].call);
    const keys: IssuedKey[] = [];
    // The first key is from makeShop. %all
    for (let n = 0; n < KEY_CAP - 4; n++) keys.push(await newKey({ shopId: id }));
    const rotated = await Promise.all(
      keys.slice(0, 10).map(({ keyId }) => transaction(id, (tx) => rotateKey(tx, id, keyId, HOUR))),
    );
    const refused = rotated.filter((key) => key instanceof Failure);
    expect(refused.map(({ code }) => code)).toEqual(Array.from({ length: 7 }, () => "key_limit_reached"));
    expect(refused[0]?.message).toContain("rotate without an overlap");
    const active = async (): Promise<number> => {
      const all = await listKeys(id);
      return all.filter((key) => !key.revokedAt && (!key.expiresAt || key.expiresAt > new Date())).length;
    };
    expect(await active()).toBe(KEY_CAP);
    await rotate(keys[20]?.keyId ?? "", 0, id);
    expect(await active()).toBe(KEY_CAP);
  });

  test("never extends a key that expires before the overlap ends", async () => {
    const expiresAt = new Date(Date.now() + HOUR);
    const old = await newKey({ expiresAt });
    await transaction(shop.id, (tx) => rotateKey(tx, shop.id, old.keyId, 24 * HOUR));
    const kept = (await listKeys(shop.id)).find(({ keyId }) => keyId === old.keyId);
    expect(kept?.expiresAt).toEqual(expiresAt);
  });

  test("is refused for a rotated, revoked, expired or another shop's key", async () => {
    const { id: shopId } = await makeShop(instances[0].service, instances[0].call);
    const [rotated, revoked] = [await newKey({ shopId }), await newKey({ shopId })];
    const ended = await newKey({ shopId, expiresAt: new Date(Date.now() - 1) });
    await transaction(shopId, (tx) => revokeKey(tx, shopId, revoked.keyId));
    const successor = await rotate(rotated.keyId, HOUR, shopId);
    const before = await listKeys(shopId);
    for (const keyId of [rotated.keyId, revoked.keyId, ended.keyId, shop.keyId, "wlk_unknown"]) {
      expect(await transaction(shopId, (tx) => rotateKey(tx, shopId, keyId, HOUR))).toBeUndefined();
    }
    expect(await listKeys(shopId)).toEqual(before);
    expect(before.find(({ keyId }) => keyId === rotated.keyId)?.successorKeyId).toBe(successor.keyId);
    // The successor can be rotated like any key.
    expect(await transaction(shopId, (tx) => rotateKey(tx, shopId, successor.keyId, HOUR))).toBeDefined();
  });

  test("requested ten times concurrently makes one successor", async () => {
    const { id, keyId } = await makeShop(instances[0].service, instances[0].call);
    const made = await Promise.all(
      Array.from({ length: 10 }, () => transaction(id, (tx) => rotateKey(tx, id, keyId, HOUR))),
    );
    expect(made.filter((successor) => successor !== undefined)).toHaveLength(1);
    expect(await listKeys(id)).toHaveLength(2);
  });
});

test.concurrent(`a shop has at most ${KEY_CAP} active keys, even after concurrent requests`, async () => {
  const { id } = await makeShop(instances[0].service, instances[0].call);
  const ask = (): Promise<IssuedKey | Failure> =>
    transaction(id, (tx) => createKey(tx, { shopId: id, name: "one of many", scopes: ALL_SCOPES }));
  // The first key is from makeShop. The others are made one by one: a call waits for at most three seconds for the shop's share.
  const free = 5;
  for (let n = 1; n < KEY_CAP - free; n++) await newKey({ shopId: id });
  const made = await Promise.all(Array.from({ length: free + 10 }, ask));
  const refused = made.filter((key) => key instanceof Failure);
  expect(made.length - refused.length).toBe(free);
  for (const failure of refused) expect(failure.code).toBe("key_limit_reached");
  expect(await listKeys(id)).toHaveLength(KEY_CAP);

  const [revoked, ended] = made.flatMap((key) => (key instanceof Failure ? [] : [key]));
  await transaction(id, (tx) => revokeKey(tx, id, revoked?.keyId ?? ""));
  await database.rows("UPDATE api_key SET expires_at = now() - interval '1 second' WHERE key_id = $1", [ended?.keyId]);
  const again = await Promise.all(Array.from({ length: 5 }, ask));
  expect(again.filter((key) => !(key instanceof Failure))).toHaveLength(2);
  // Another shop has its own count.
  expect(await newKey()).toBeDefined();
});

test.concurrent("the exchange responds alike to every invalid key", async () => {
  const [alive, revoked, other] = [await newKey(), await newKey(), await newKey()];
  const ended = await newKey({ expiresAt: new Date(Date.now() - 1) });
  const token = await tokenInUse(revoked);
  await revoke(revoked.keyId);
  await eventuallyRefused(token);
  const flipped = alive.secret.slice(0, -1) + (alive.secret.endsWith("A") ? "B" : "A");
  const responses = await Promise.all(
    [
      { keyId: alive.keyId, secret: other.secret },
      { keyId: alive.keyId, secret: flipped },
      { keyId: alive.keyId, secret: "x" },
      { keyId: `${alive.keyId}x`, secret: alive.secret },
      { keyId: "x", secret: "y" },
      { keyId: alive.secret, secret: alive.keyId },
      revoked,
      ended,
    ].map((key) => tryExchange(instances[0], key)),
  );
  for (const response of responses) {
    const { requestId: _, ...error } = response.error();
    expect({ status: response.status, ...error }).toEqual({
      status: 401,
      code: "invalid_credentials",
      message: responses[0]?.error().message,
    });
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer realm=/);
  }
});
