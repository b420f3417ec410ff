import { randomBytes } from "node:crypto";
import { readdir, rename, stat, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { MATRIX } from "../support/matrix.ts";
import { ALL_SCOPES, createKey, KEY_CAP } from "../../app/access/index.server.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { findShop } from "../../app/shops/index.server.ts";
import { connect } from "../../server/database-connection.ts";
import { checkServer } from "../../server/postgres/connection.ts";
import { openDatabase } from "../../server/postgres/database.ts";
import { client, type Call } from "../support/app/client.ts";
import { createDatabase, databaseAt, type TestDatabase } from "../support/database/database.ts";
import { forgedKeyId } from "../support/access/forged-key.ts";
import { startService, type Service } from "../support/app/service.ts";
import { exchange } from "../support/app/shop.ts";
import { until } from "../support/until.ts";
import { cli, command, type Ended, killCommands, nothingLeft, start, wishlist } from "./fixtures/commands.ts";
import {
  clusterOf,
  newDatabase,
  newDataDir,
  recordOf,
  removeDataDirs,
  serverPid,
  value,
} from "./fixtures/data-folders.ts";

afterEach(async () => {
  await killCommands();
  await removeDataDirs();
});

/** Returns the JSON output of a successful command. */
function json(ended: Ended): unknown {
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(ended.stdout);
}

function text(ended: Ended): string {
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: "" });
  return ended.stdout;
}

/** Returns the error line of a refused command. */
function refusal({ code, stdout, stderr }: Ended, expected: 1 | 2 = 1): string {
  expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr.trimEnd();
}

const key = z.strictObject({
  shop: z.string(),
  keyId: z.string(),
  secret: z.string(),
  kind: z.string(),
  scopes: z.array(z.string()),
});
const successor = z.strictObject({
  keyId: z.string(),
  secret: z.string(),
  kind: z.literal("admin"),
  scopes: z.array(z.string()),
  replaces: z.string(),
  replacedKeyExpiresAt: z.iso.datetime(),
});

describe("the command line beside a server", () => {
  let service: Service;
  let call: Call;
  let env: { DATABASE_URL: string };

  beforeAll(async () => {
    service = await startService();
    call = client(service.url);
    env = { DATABASE_URL: service.database.url };
    for (const shop of ["one.myshopify.com", "two.myshopify.com"]) await command(env, "shops", "create", shop);
  });

  afterAll(async () => {
    await service.dispose();
  });

  async function makeKey(...options: string[]): Promise<z.infer<typeof key>> {
    const args = ["--shop", "one.myshopify.com", "--name", "Storefront", "--json"];
    return key.parse(json(await command(env, "keys", "create", ...args, ...options)));
  }

  async function works(credentials: { keyId: string; secret: string }): Promise<boolean> {
    const { keyId, secret } = credentials;
    const response = await call("POST", "/v1/auth/token", { json: { api_key: keyId, api_secret: secret } });
    return response.status === 200;
  }

  test("shops commands create, list and change shops, as text and as JSON", async () => {
    const zone = ["--plan", "starter", "--time-zone", "Europe/Berlin"];
    const created = json(await wishlist(env, "shops", "create", "Three.MyShopify.com", ...zone, "--json"));
    const expected = { shop: "three.myshopify.com", plan: "starter", timeZone: "Europe/Berlin", uninstalledAt: null };
    expect(created).toEqual({ ...expected, installedAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown });
    const [list, listed] = await Promise.all([command(env, "shops", "list"), command(env, "shops", "list", "--json")]);
    expect(text(list)).toMatch(/^SHOP +PLAN +TIME ZONE +STATE\n(.*\n)*three\.myshopify\.com +starter +Europe\/Berlin/);
    expect(json(listed)).toContainEqual(created);

    const moved = await command(env, "shops", "set-plan", "three.myshopify.com", "growth");
    expect(text(moved)).toBe("three.myshopify.com is now on the growth plan.\n");
    const back = await command(env, "shops", "set-plan", "three.myshopify.com", "free", "--json");
    expect(json(back)).toMatchObject({ ...expected, plan: "free" });
    expect(text(await command(env, "shops", "create", "four.myshopify.com"))).toBe(
      "Created four.myshopify.com on the free plan.\n",
    );
  });

  test("keys create makes a key that works immediately, with its scopes only", async () => {
    const all = await makeKey("--scopes", "all");
    expect(all).toMatchObject({ shop: "one.myshopify.com", scopes: ALL_SCOPES });
    const some = await makeKey("--scopes", "read_wishlists, read_wishlists");
    expect(some.scopes).toEqual(["read_wishlists"]);
    const token = await exchange(call, some);
    expect((await call("GET", "/v1/wishlists/c", { token })).status).toBe(200);
    const items = { token, json: { product_id: "1", variant_id: "2" } };
    expect((await call("POST", "/v1/wishlists/c/items", items)).status).toBe(403);

    const args = ["--shop", "one.myshopify.com", "--name", "In words", "--scopes", "all"];
    const words = text(await command(env, "keys", "create", ...args));
    const [, keyId = "", secret = ""] = /^Key id +(wlk_\w+)\nSecret +(wls_\w+)\nScopes +.*\n/.exec(words) ?? [];
    expect(words).toContain("not shown again");
    expect(await works({ keyId, secret })).toBe(true);
    // No later command shows the secret.
    const lists = await Promise.all([
      command(env, "keys", "list", "--shop", "one.myshopify.com"),
      command(env, "keys", "list", "--shop", "one.myshopify.com", "--json"),
    ]);
    for (const { stdout } of lists) {
      expect(stdout).toContain(keyId);
      expect(stdout).not.toMatch(/wls_/);
    }
    expect(json(lists[1])).toContainEqual(
      expect.objectContaining({ shop: "one.myshopify.com", keyId, name: "In words", state: "active", expiresAt: null }),
    );
  });

  test("keys create makes a storefront server's key with wishlist scopes only", async () => {
    const scopes = ["--scopes", "read_wishlists,write_wishlists"];
    const { keyId } = await makeKey("--storefront-server", ...scopes);
    const [words, list] = await Promise.all([
      command(env, "keys", "list", "--shop", "one.myshopify.com"),
      command(env, "keys", "list", "--shop", "one.myshopify.com", "--json"),
    ]);
    expect(text(words)).toMatch(new RegExp(`^${keyId} +Storefront +storefront server +active`, "m"));
    expect(json(list)).toContainEqual(expect.objectContaining({ keyId, kind: "storefront_server" }));
    const args = ["--shop", "one.myshopify.com", "--name", "x", "--scopes", "all", "--storefront-server"];
    expect(refusal(await command(env, "keys", "create", ...args))).toMatch("can't have read_analytics");
  });

  describe("a publishable key", () => {
    const publishable = z.strictObject({
      shop: z.string(),
      keyId: z.string().startsWith("wlp_"),
      kind: z.literal("publishable"),
      allowedOrigins: z.array(z.string()),
    });
    const args = ["--shop", "one.myshopify.com", "--name", "Pages", "--publishable"];

    async function publish(origins: string): Promise<string> {
      const made = await command(env, "keys", "create", ...args, "--origins", origins, "--json");
      return publishable.parse(json(made)).keyId;
    }

    /** Exchanges the key in a page of an origin. @returns the status */
    async function statusAt(origin: string, keyId: string): Promise<number> {
      const guest_id = randomBytes(16).toString("base64url");
      const request = { headers: { origin }, json: { publishable_key: keyId, guest_id } };
      return (await call("POST", "/v1/auth/storefront-token", request)).status;
    }

    test("of keys create works immediately from its origins, and has no secret", async () => {
      const origins = "https://WWW.Example.com:443/, http://localhost:5173";
      const made = publishable.parse(
        json(await command(env, "keys", "create", ...args, "--origins", origins, "--json")),
      );
      expect(made.allowedOrigins).toEqual(["https://www.example.com", "http://localhost:5173"]);
      expect(await statusAt("https://www.example.com", made.keyId)).toBe(200);
      expect(await statusAt("https://other.example", made.keyId)).toBe(403);

      const words = text(await command(env, "keys", "create", ...args, "--origins", origins));
      expect(words).toMatch(
        /^Publishable key {3}wlp_\w+\nAllowed origins {3}https:\/\/www\.example\.com, http:\/\/localhost:5173\n$/,
      );
      expect(text(await command(env, "keys", "list", "--shop", "one.myshopify.com"))).toMatch(
        new RegExp(
          `${made.keyId} +Pages +publishable +active +none .* https://www.example.com,http://localhost:5173\n`,
        ),
      );
    });

    test("is refused by keys create without origins, with scopes, or with origins that are none", MATRIX, async () => {
      const refusals = await Promise.all([
        command(env, "keys", "create", ...args),
        command(env, "keys", "create", ...args, "--origins", "https://a.example", "--scopes", "all"),
        command(env, "keys", "create", ...args, "--origins", "https://a.example", "--storefront-server"),
        command(env, "keys", "create", ...args, "--origins", "https://a.example/path"),
        command(env, "keys", "create", ...args, "--origins", "http://a.example"),
        command(env, "keys", "create", ...args, "--origins", " , "),
        command(env, "keys", "create", ...args.slice(0, -1), "--origins", "https://a.example"),
      ]);
      expect(
        refusals.map(({ code, stderr }) => [code, /(--origins|scopes|storefront-server|origin)/.test(stderr)]),
      ).toEqual([
        [1, true],
        [2, true],
        [2, true],
        [2, true],
        [2, true],
        [2, true],
        [1, true],
      ]);
      expect(refusals[3].stderr).toContain("https://a.example/path is not an origin");
    });

    test("has other origins within a second of keys origins", async () => {
      const keyId = await publish("https://a.example");
      expect(text(await command(env, "keys", "origins", keyId, "https://b.example,https://*.c.example"))).toBe(
        "Allowed origins   https://b.example, https://*.c.example\n",
      );
      await until("the end of the removed origin", async () => (await statusAt("https://a.example", keyId)) === 403);
      expect(await statusAt("https://b.example", keyId)).toBe(200);
      expect(await statusAt("https://shop.c.example", keyId)).toBe(200);
      expect(json(await command(env, "keys", "origins", keyId, "https://d.example", "--json"))).toEqual({
        keyId,
        allowedOrigins: ["https://d.example"],
      });
    });

    test("keeps its origins when keys origins is refused", MATRIX, async () => {
      const keyId = await publish("https://a.example");
      const { keyId: admin } = await makeKey("--scopes", "all");
      const unknown = forgedKeyId("u");
      expect(refusal(await command(env, "keys", "origins", keyId, "a.example"), 2)).toContain(
        "a.example is not an origin",
      );
      expect(refusal(await command(env, "keys", "origins", keyId.slice(0, -1), "https://b.example"), 2)).toMatch(
        "mistyped",
      );
      expect(refusal(await command(env, "keys", "origins", admin, "https://b.example"))).toBe(
        `The key ${admin} is not an active publishable key.`,
      );
      expect(refusal(await command(env, "keys", "origins", unknown, "https://b.example"))).toMatch(
        `The key ${unknown} does not exist.`,
      );
      expect(await statusAt("https://a.example", keyId)).toBe(200);
      expect(await statusAt("https://b.example", keyId)).toBe(403);

      text(await command(env, "keys", "revoke", keyId));
      expect(refusal(await command(env, "keys", "origins", keyId, "https://b.example"))).toBe(
        `The key ${keyId} is not an active publishable key.`,
      );
    });

    test("is rotated by keys rotate to one with the same origins and no secret", MATRIX, async () => {
      const keyId = await publish("https://a.example");
      const words = text(await command(env, "keys", "rotate", keyId, "--overlap", "1h"));
      const [, next = ""] =
        /^Publishable key {3}(wlp_\w+)\nAllowed origins {3}https:\/\/a\.example\n\nwlp_/.exec(words) ?? [];
      expect(await statusAt("https://a.example", next)).toBe(200);
      expect(await statusAt("https://a.example", keyId)).toBe(200);
      expect(json(await command(env, "keys", "rotate", next, "--overlap", "0", "--json"))).toEqual({
        keyId: expect.stringMatching(/^wlp_/) as unknown,
        kind: "publishable",
        allowedOrigins: ["https://a.example"],
        replaces: next,
        replacedKeyExpiresAt: expect.any(String) as unknown,
      });
      await until("the end of the replaced key", async () => (await statusAt("https://a.example", next)) === 401);
    });
  });

  test("keys create sets the expiry of --expires-in", async () => {
    const { keyId } = await makeKey("--scopes", "all", "--expires-in", "90d");
    const list = json(await command(env, "keys", "list", "--shop", "one.myshopify.com", "--json"));
    const found = z.array(z.object({ keyId: z.string(), createdAt: z.string(), expiresAt: z.string().nullable() }));
    const mine = found.parse(list).find((one) => one.keyId === keyId);
    const days = (Date.parse(mine?.expiresAt ?? "") - Date.parse(mine?.createdAt ?? "")) / 86_400_000;
    expect(Math.round(days)).toBe(90);
  });

  test("keys rotate keeps the old key valid during the overlap", async () => {
    const old = await makeKey("--scopes", "read_wishlists");
    const rotated = await command(env, "keys", "rotate", old.keyId, "--overlap", "1h", "--json");
    const next = successor.parse(json(rotated));
    expect(next).toMatchObject({ replaces: old.keyId, scopes: ["read_wishlists"] });
    expect([await works(old), await works(next)]).toEqual([true, true]);
    expect(refusal(await command(env, "keys", "rotate", old.keyId))).toBe(
      `The key ${old.keyId} was already rotated (its successor is ${next.keyId}), so it cannot be rotated.`,
    );

    const words = text(await command(env, "keys", "rotate", next.keyId, "--overlap", "0"));
    const [, keyId = "", secret = ""] = /^Key id +(wlk_\w+)\nSecret +(wls_\w+)\n/.exec(words) ?? [];
    expect(await works({ keyId, secret })).toBe(true);
    await until("the end of the rotated key", async () => !(await works(next)));
  });

  test("keys revoke ends the tokens of a key and can be repeated", async () => {
    const made = await makeKey("--scopes", "all");
    const token = await exchange(call, made);
    expect(text(await command(env, "keys", "revoke", made.keyId))).toBe(
      `Revoked ${made.keyId}. Its tokens stop within a second.\n`,
    );
    await until("the end of its token", async () => {
      return (await call("GET", "/v1/wishlists/c", { token })).status === 401;
    });
    const again = await command(env, "keys", "revoke", made.keyId, "--json");
    expect(json(again)).toEqual({ keyId: made.keyId, revoked: true });
    expect(refusal(await command(env, "keys", "rotate", made.keyId))).toBe(
      `The key ${made.keyId} was revoked, so it cannot be rotated.`,
    );
  });

  test("changes of keys and plans are in the audit log once, with the system's user and without secrets", async () => {
    const domain = "audited.myshopify.com";
    const sudo = { ...env, SUDO_USER: "maren" };
    text(await command(env, "shops", "create", domain));
    text(await command(env, "shops", "set-plan", domain, "starter"));
    text(await command(env, "shops", "set-plan", domain, "starter"));
    const create = ["keys", "create", "--shop", domain, "--name"];
    const first = key.parse(json(await command(env, ...create, "Server", "--scopes", "all", "--json")));
    const web = json(await command(env, ...create, "Web", "--publishable", "--origins", "https://a.example", "--json"));
    const { keyId: page } = z.object({ keyId: z.string() }).parse(web);
    text(await command(env, "keys", "origins", page, "https://b.example,https://c.example"));
    const next = successor.parse(json(await command(sudo, "keys", "rotate", first.keyId, "--json")));
    text(await command(env, "keys", "revoke", next.keyId));
    text(await command(env, "keys", "revoke", next.keyId));
    refusal(await command(env, "keys", "rotate", next.keyId));
    refusal(await command(env, "keys", "origins", first.keyId, "https://b.example"));

    const { rows } = service.database;
    const entries = await rows(
      `SELECT action, subject, details, operator, staff_id FROM audit JOIN shop ON shop.id = shop_id
        WHERE domain = $1 ORDER BY audit.id`,
      [domain],
    );
    const by = { operator: userInfo().username, staff_id: null };
    expect(entries).toEqual([
      { action: "plan.changed", subject: null, details: { from: "free", to: "starter" }, ...by },
      { action: "api_key.created", subject: first.keyId, details: { name: "Server" }, ...by },
      { action: "api_key.created", subject: page, details: { name: "Web" }, ...by },
      {
        action: "api_key.origins_changed",
        subject: page,
        details: { name: "Web", from: "https://a.example", to: "https://b.example, https://c.example" },
        ...by,
      },
      {
        action: "api_key.rotated",
        subject: first.keyId,
        details: { name: "Server", to: next.keyId },
        ...by,
        operator: "maren",
      },
      { action: "api_key.revoked", subject: next.keyId, details: { name: "Server" }, ...by },
    ]);
    expect(JSON.stringify(await rows("SELECT a::text FROM audit a"))).not.toMatch(/wls_/);
  });

  test("a refusal names the unknown or existing object and the remedy", async () => {
    const unknown = forgedKeyId("a");
    const [shop, key, duplicate, plan] = await Promise.all([
      command(env, "keys", "create", "--shop", "none.myshopify.com", "--name", "x", "--scopes", "all"),
      command(env, "keys", "revoke", unknown),
      command(env, "shops", "create", "two.myshopify.com", "--json"),
      command(env, "shops", "set-plan", "none.myshopify.com", "growth"),
    ]);
    const noShop = "The shop none.myshopify.com does not exist. `npm run -s wishlist -- shops list` lists all shops.";
    expect(refusal(shop)).toBe(noShop);
    expect(refusal(plan)).toBe(noShop);
    expect(refusal(key)).toBe(
      `The key ${unknown} does not exist. \`npm run -s wishlist -- keys list --shop <domain>\` lists a shop's keys.`,
    );
    expect(JSON.parse(refusal(duplicate))).toEqual({
      error: { code: "refused", message: "The shop two.myshopify.com already exists." },
    });
  });

  test("keys create fails at the maximum, and keys list of no keys shows how to create one", MATRIX, async () => {
    const none = await command(env, "keys", "list", "--shop", "two.myshopify.com");
    expect(text(none)).toBe(
      "two.myshopify.com has no keys yet. Create one with `npm run -s wishlist -- keys create`.\n",
    );
    provideSettings({ DATABASE_URL: service.database.url, DATABASE_POOL_SIZE: "2" });
    const shopId = (await findShop("two.myshopify.com"))?.id ?? 0;
    for (let made = 0; made < KEY_CAP; made++)
      await transaction(shopId, (tx) => createKey(tx, { shopId, name: "x", scopes: ALL_SCOPES }));
    await closeDatabase();
    const args = ["--shop", "two.myshopify.com", "--name", "x", "--scopes", "all"];
    expect(refusal(await command(env, "keys", "create", ...args))).toMatch(
      `has ${KEY_CAP} active API keys, the maximum. Revoke a key`,
    );
  });
});

describe("the commands for a Citus cluster", () => {
  const commands = [["distribute"], ["status"], ["isolate", "one.myshopify.com"], ["rebalance"]];
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });

  /** Returns the URL with options of the session. */
  function withOptions(options: string): string {
    const url = new URL(database.url);
    url.searchParams.set("options", options);
    return url.href;
  }

  test.each(commands)("database %s refuses a PostgreSQL without Citus", MATRIX, async (...words) => {
    const env = { DATABASE_URL: database.url };
    const [inWords, asJson] = await Promise.all([
      command(env, "database", ...words),
      command(env, "database", ...words, "--json"),
    ]);
    const message = refusal(inWords);
    expect(message).toMatch(/^This PostgreSQL does not have the Citus extension\. Install it on every node/);
    expect(JSON.parse(refusal(asJson))).toEqual({ error: { code: "refused", message } });
  });

  test("report a lost connection in one line of JSON", MATRIX, async () => {
    // The first statement of these commands reads pg_extension, and ends its own connection.
    await database.rows("CREATE SCHEMA pretend");
    await database.rows(
      "CREATE VIEW pretend.pg_extension AS SELECT pg_terminate_backend(pg_backend_pid())::text AS extname",
    );
    const env = { DATABASE_URL: withOptions("-c search_path=pretend,pg_catalog,public") };
    const ended = await Promise.all(commands.map((words) => command(env, "database", ...words, "--json")));
    for (const one of ended) {
      expect(JSON.parse(refusal(one))).toEqual({
        error: {
          code: "failed",
          message: expect.stringMatching(/^The database cannot be reached \(.+\)\. Check DATABASE_URL\.$/) as unknown,
        },
      });
    }
  });

  test("have no time limit, whatever the role's settings are", async () => {
    const { client: connected, close } = await connect(withOptions("-c statement_timeout=1h"), "a test");
    const { rows } = await connected.query("SHOW statement_timeout");
    await close();
    expect(rows).toEqual([{ statement_timeout: "0" }]);
  });
});

describe("the command line without a server", () => {
  test("starts and stops the embedded database, which keeps its data", async () => {
    const { dataDir } = await newDataDir();
    const env = { DATA_DIR: dataDir };
    expect(text(await cli(env, "shops", "list"))).toBe(
      "No shops exist yet. Create one with `npm run -s wishlist -- shops create <domain>`.\n",
    );
    await nothingLeft(dataDir);
    expect(await serverPid(dataDir)).toBeUndefined();
    json(await cli(env, "shops", "create", "one.myshopify.com", "--json"));
    expect(json(await cli(env, "shops", "list", "--json"))).toMatchObject([{ shop: "one.myshopify.com" }]);
    await nothingLeft(dataDir);
    expect(await serverPid(dataDir)).toBeUndefined();
  });

  test("status and backup refuse a data folder without a database and create nothing", MATRIX, async () => {
    const { parent, dataDir } = await newDataDir();
    const file = join(parent, "wishlist.zip");
    const ended = await Promise.all([
      cli({ DATA_DIR: dataDir }, "status"),
      cli({ DATA_DIR: dataDir }, "database", "backup", file),
      cli({ DATA_DIR: dataDir }, "database", "status"),
    ]);
    for (const one of ended) {
      expect(refusal(one)).toBe(
        `The data folder ${dataDir} has no database (no postgres.json); set DATA_DIR to the folder of the service's database, or DATABASE_URL to its PostgreSQL server`,
      );
    }
    expect(await readdir(parent)).toEqual([]);
  });

  test("status and backup refuse a data folder whose database was moved away", MATRIX, async () => {
    const { dataDir } = await newDatabase();
    const cluster = await clusterOf(dataDir);
    await rename(cluster, `${cluster}-moved`);
    const env = { DATA_DIR: dataDir };
    const ended = [
      await cli(env, "status"),
      await cli(env, "database", "backup", join(dataDir, "wishlist.zip"), "--postgres", "/nowhere"),
    ];
    for (const one of ended) {
      expect(refusal(one)).toBe(`The database ${cluster} is missing; move it back, or set DATA_DIR to another folder`);
    }
    await expect(stat(cluster)).rejects.toThrow("ENOENT");
  });

  test("runs two concurrent commands one after the other", MATRIX, async () => {
    const { dataDir } = await newDatabase();
    const env = { DATA_DIR: dataDir };
    const made = await Promise.all(
      ["one.myshopify.com", "two.myshopify.com"].map((shop) => cli(env, "shops", "create", shop)),
    );
    made.map(text);
    const list = json(await cli(env, "shops", "list", "--json"));
    expect(list).toMatchObject([{ shop: "one.myshopify.com" }, { shop: "two.myshopify.com" }]);
    await nothingLeft(dataDir);
  });

  test.each([
    ["Ctrl-C", 130],
    ["SIGTERM to npm alone", 143],
  ])("leaves no process behind after %s", MATRIX, async (which, expected) => {
    const { dataDir } = await newDatabase();
    await holdMigrations(dataDir);
    const command = start("wishlist", { env: { DATA_DIR: dataDir }, args: ["shops", "list"] });
    await until("the command's database", async () => {
      const record = await recordOf(dataDir);
      return (await checkServer(record, record.cluster)) === "ready";
    });
    const { code, stdout, stderr } = await (which === "Ctrl-C" ? command.ctrlC() : command.terminate());
    expect({ code, stdout, stderr }).toEqual({ code: expected, stdout: "", stderr: "" });
    await nothingLeft(dataDir);
    expect(await serverPid(dataDir)).toBeUndefined();
  });
});

/** Blocks every command indefinitely once its database runs. */
async function holdMigrations(dataDir: string): Promise<void> {
  const { adminUrl: url, close } = await openDatabase({ dataDir, role: "command", label: "a test" });
  await value(
    url,
    `CREATE FUNCTION hold() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
       IF current_setting('application_name') = 'wishlist migrate' THEN PERFORM pg_sleep(3600); END IF;
     END $$`,
  );
  await value(url, "CREATE EVENT TRIGGER hold ON login EXECUTE FUNCTION hold()");
  await close();
}

describe("an unusable database is reported in one line without its password", () => {
  test("when PostgreSQL is unreachable or refuses the connection", MATRIX, async () => {
    const service = await startService();
    const { port } = new URL(service.url);
    const at = (host: string) => ({ DATABASE_URL: `postgres://me:pa55word@${host}/db` });
    const ended = await Promise.all([
      cli(at("127.0.0.1:1"), "shops", "list"),
      command(at("localhost:1"), "shops", "list"),
      command(at("nowhere.invalid"), "shops", "list"),
      command(at(`127.0.0.1:${port}`), "shops", "list"),
      command({ DATABASE_URL: databaseAt(service.database.url, "no_such_database") }, "shops", "list"),
      command({ DATABASE_URL: service.database.url.replace(/:[^:@/]+@/, ":pa55word@") }, "shops", "list"),
    ]);
    await service.dispose();
    for (const one of ended) {
      expect(refusal(one)).toMatch(/^The database cannot be reached \(.+\)\. Check DATABASE_URL\.$/);
      expect(one.stderr).not.toContain("pa55word");
    }
  });

  test("when the URL is malformed or the data folder is a file", MATRIX, async () => {
    const { dataDir } = await newDataDir();
    await writeFile(dataDir, "");
    const [address, folder] = await Promise.all([
      command({ DATABASE_URL: "localhost" }, "shops", "list"),
      cli({ DATA_DIR: dataDir }, "shops", "list", "--json"),
    ]);
    expect(address).toMatchObject({ code: 1, stdout: "" });
    expect(address.stderr).toContain("DATABASE_URL is not a postgres:// address");
    expect(JSON.parse(refusal(folder))).toEqual({
      error: { code: "failed", message: expect.stringMatching(/^The data folder .* cannot be used/) as unknown },
    });
  });
});
