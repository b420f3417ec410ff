import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { hostname } from "node:os";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { MATRIX } from "../support/matrix.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { EnvironmentError, parseEnv } from "../../app/platform/process/env.server.ts";
import { openDatabase, type OpenDatabase } from "../../server/postgres/database.ts";
import { disagreements } from "../support/app/audit.ts";
import { client, type ApiResponse, type Call } from "../support/app/client.ts";
import { openConnection } from "../support/http/connection.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { launch, type Launched } from "../support/app/launch.ts";
import { ENCRYPTION_KEY, serviceEnv, startService, TOKEN_SECRET, type Service } from "../support/app/service.ts";
import { exchange, makeShop, type TestShop } from "../support/app/shop.ts";
import { until } from "../support/until.ts";
import { crashServer, newDatabase, removeDataDirs } from "./fixtures/data-folders.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

/** Returns the settings that every start needs, except the secrets. */
function settings(): Record<string, string> {
  return { HOST: "127.0.0.1", PORT: "0", DATABASE_URL: database.url };
}

const SECRETS = { TOKEN_SECRETS: TOKEN_SECRET, ENCRYPTION_KEYS: ENCRYPTION_KEY };

/** Starts the service, which must fail, and returns its standard error. */
async function refusal(env: Record<string, string>): Promise<string> {
  const launched = launch(env);
  expect({ code: await launched.ended, stdout: launched.stdout() }).toEqual({ code: 1, stdout: "" });
  const output = launched.stderr();
  // A message, not a stack.
  expect(output).not.toMatch(/^\s+at /m);
  return output;
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

describe("npm start refuses to serve", () => {
  test("without secrets, naming all missing ones with a command for each", async () => {
    const output = await refusal(settings());
    expect(output).toMatch(/TOKEN_SECRETS .*openssl/);
    expect(output).toMatch(/ENCRYPTION_KEYS .*openssl/);
  });

  test("with empty secrets", MATRIX, async () => {
    const output = await refusal({ ...settings(), TOKEN_SECRETS: "", ENCRYPTION_KEYS: "" });
    expect(output).toMatch(/TOKEN_SECRETS/);
    expect(output).toMatch(/ENCRYPTION_KEYS/);
    const onlyCommas = await refusal({ ...settings(), TOKEN_SECRETS: " , ", ENCRYPTION_KEYS: "," });
    expect(onlyCommas).toMatch(/TOKEN_SECRETS/);
    expect(onlyCommas).toMatch(/ENCRYPTION_KEYS/);
  });

  test("with weak secrets, explaining each problem without showing the secrets", MATRIX, async () => {
    const weak = {
      short: "s7Kq2Zr9Xw5Ty1Lm",
      repeated: "abab".repeat(16),
      placeholder: "please-change-me-7Kq2Zr9Xw5Ty1Lm3Np",
    };
    const shortKey = Buffer.from("sixteen-byte-key").toString("base64");
    const zeros = Buffer.alloc(32).toString("base64");
    const output = await refusal({
      ...settings(),
      TOKEN_SECRETS: [TOKEN_SECRET, ...Object.values(weak)].join(","),
      ENCRYPTION_KEYS: `${ENCRYPTION_KEY},k2:${shortKey},k3:${zeros},noIdAtAll`,
    });
    expect(lines(output).filter((line) => line.includes("TOKEN_SECRETS"))).toHaveLength(3);
    expect(lines(output).filter((line) => line.includes("ENCRYPTION_KEYS"))).toHaveLength(3);
    const values = [TOKEN_SECRET, ...Object.values(weak), shortKey, zeros, ENCRYPTION_KEY.slice(3)];
    for (const value of values) expect(output).not.toContain(value);
  });

  test("with invalid settings, naming all of them without their secrets", MATRIX, async () => {
    const wrong = {
      PORT: "99999",
      DATABASE_URL: "mysql://root:hunter2@127.0.0.1/wishlist",
      REDIS_URL: "http://:hunter3@127.0.0.1",
      DATABASE_POOL_SIZE: "many",
      RATE_LIMIT_ADMIN_PER_MINUTE: "0",
      RATE_LIMIT_STOREFRONT_PER_MINUTE: "-1",
      TRUSTED_PROXY_HOPS: "1.5",
      LOG_LEVEL: "loud",
      WISHLIST_ROLE: "both",
      ACTIVITY_RETENTION_DAYS: "1",
      WEBHOOK_RETENTION_DAYS: "forever",
      WEBHOOKS_ALLOW_LOOPBACK: "1",
      SHUTDOWN_DELAY_SECONDS: "soon",
      SHUTDOWN_GRACE_SECONDS: "0",
    };
    const output = await refusal({ ...wrong, TOKEN_SECRETS: "weak" });
    for (const name of [...Object.keys(wrong), "TOKEN_SECRETS", "ENCRYPTION_KEYS"]) expect(output).toContain(name);
    expect(output).not.toMatch(/hunter[23]/);
  });
});

describe("parseEnv of secrets", () => {
  const source = { ...SECRETS, DATABASE_URL: "postgres://127.0.0.1/wishlist" };

  function problemsOf(env: Record<string, string>): string[] {
    try {
      parseEnv(env);
      return [];
    } catch (error) {
      if (error instanceof EnvironmentError) return error.problems;
      throw error;
    }
  }

  test("accepts one or several long random secrets", () => {
    expect(problemsOf(source)).toEqual([]);
    expect(
      problemsOf({ ...source, TOKEN_SECRETS: `${TOKEN_SECRET},${TOKEN_SECRET.split("").reverse().join("")}` }),
    ).toEqual([]);
  });

  test.each<[string, string]>([
    ["rejects 31 characters", TOKEN_SECRET.slice(0, 31)],
    ["rejects a repeated character", "x".repeat(64)],
    ["rejects nine different characters", "123456789".repeat(8)],
    ["rejects a placeholder", "this-is-an-example-7Kq2Zr9Xw5Ty1Lm3Np"],
    ["rejects a weak secret behind a strong one", `${TOKEN_SECRET},weak`],
  ])("%s", (_, secret) => {
    const problems = problemsOf({ ...source, TOKEN_SECRETS: secret });
    expect(problems).toEqual([expect.stringMatching(/^TOKEN_SECRETS /)]);
    expect(problems.join()).not.toContain(secret);
  });

  test.each<[string, string]>([
    ["rejects a key of 31 bytes", `k1:${Buffer.from("0123456789abcdefghijklmnopqrstu").toString("base64")}`],
    ["rejects a key of 33 bytes", `k1:${Buffer.from("0123456789abcdefghijklmnopqrstuvw").toString("base64")}`],
    ["rejects a key without an id", ENCRYPTION_KEY.slice(3)],
    ["rejects two keys with the same id", `${ENCRYPTION_KEY},${ENCRYPTION_KEY}`],
    ["rejects a key of zeros", `k1:${Buffer.alloc(32).toString("base64")}`],
    ["rejects a key in hexadecimal", `k1:${Buffer.from("0123456789abcdefghijklmnopqrstuv").toString("hex")}`],
    ["rejects a key that is not base64", `${ENCRYPTION_KEY.slice(0, 20)}!?${ENCRYPTION_KEY.slice(20)}`],
  ])("%s", (_, key) => {
    const problems = problemsOf({ ...source, ENCRYPTION_KEYS: key });
    expect(problems).toEqual([expect.stringMatching(/^ENCRYPTION_KEYS /)]);
    expect(problems.join()).not.toContain(key.slice(3));
  });
});

describe("npm start fails with one line", () => {
  const listeners: Server[] = [];
  afterEach(() => {
    for (const listener of listeners.splice(0)) listener.close();
  });

  /** Starts a listener that is not PostgreSQL. */
  async function listener(onConnection: Parameters<typeof createServer>[1] = () => undefined): Promise<number> {
    const server = createServer(onConnection).listen(0, "127.0.0.1");
    listeners.push(server);
    await once(server, "listening");
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  test("when its port is in use", MATRIX, async () => {
    const port = await listener();
    const output = await refusal({ ...settings(), ...SECRETS, PORT: String(port) });
    expect(lines(output)).toEqual([expect.stringContaining(String(port))]);
    expect(output).toContain("PORT");
  });

  const at = (change: (url: URL) => void): string => {
    const url = new URL(database.url);
    url.password = "hunter2";
    change(url);
    return url.href;
  };

  const UNREACHABLE: readonly [string, () => string | Promise<string>][] = [
    ["nothing listens at its address", () => at((url) => (url.port = "1"))],
    ["its host does not exist", () => at((url) => (url.hostname = "no-such-host.invalid"))],
    ["its password is wrong", () => at(() => undefined)],
    ["it does not exist", () => database.url.replace(/\/[^/]*$/, "/no_such_database")],
    [
      "the listener closes connections",
      async () => `postgres://wishlist:hunter2@127.0.0.1:${await listener((socket) => socket.destroy())}/wishlist`,
    ],
    ["the listener does not respond", async () => `postgres://wishlist:hunter2@127.0.0.1:${await listener()}/wishlist`],
  ];
  for (const [reason, address] of UNREACHABLE) {
    const tier = reason === "its password is wrong" ? {} : MATRIX;
    test(`when the database cannot be reached because ${reason}`, tier, async () => {
      const url = await address();
      const output = await refusal({ ...settings(), ...SECRETS, DATABASE_URL: url, DATABASE_WAIT_SECONDS: "0" });
      expect(lines(output)).toEqual([expect.stringMatching(/database.*DATABASE_URL/i)]);
      expect(output).not.toContain(new URL(url).password);
    });
  }

  test("when an applied migration was changed", MATRIX, async () => {
    const changed = await createDatabase();
    await changed.rows("UPDATE _prisma_migrations SET checksum = 'another'");
    const output = await refusal({ ...settings(), ...SECRETS, DATABASE_URL: changed.url });
    expect(lines(output)).toEqual([expect.stringMatching(/migration \d+_\w+ was changed/)]);
    await changed.drop();
  });
});

// ---------------------------------------------------------------------------------------------------------------------

interface Seen {
  status: number;
  code: string | undefined;
  retryAfter: string | null;
}

interface Load {
  seen: Seen[];
  /** number of responses with 200 */
  served: () => number;
  /** number of responses with 503 */
  unavailable: () => number;
  /** products that were added with `added: true` and are never removed */
  kept: string[];
  stop: () => Promise<void>;
}

/** Starts clients that call all endpoints in turn, each as fast as it gets responses, until they are stopped. */
function putUnderLoad(call: Call, shop: TestShop, link: string): Load {
  const seen: Seen[] = [];
  const kept: string[] = [];
  let served = 0;
  let unavailable = 0;
  let going = true;
  const { token } = shop;

  function record(response: ApiResponse): boolean {
    const ok = response.status === 200;
    if (ok) served++;
    if (response.status === 503) unavailable++;
    seen.push({
      status: response.status,
      code: ok ? undefined : response.error().code,
      retryAfter: response.headers.get("retry-after"),
    });
    return ok;
  }

  async function work(index: number): Promise<void> {
    const mine = `/v1/wishlists/customer-${index % 3}`;
    for (let i = 0; going; i++) {
      const product = `kept-${index}-${i}`;
      const added = await call("POST", `/v1/wishlists/keeper-${index}/items`, {
        token,
        json: { product_id: product, variant_id: "v" },
      });
      if (record(added) && added.data<{ added: boolean }>().added) kept.push(product);
      const json = { product_id: `p${i % 7}`, variant_id: "v" };
      record(await call("POST", `${mine}/items`, { token, json }));
      record(await call("DELETE", `${mine}/items/p${(i + 3) % 7}`, { token }));
      const items = [1, 2, 3].map((n) => ({
        productId: `p${(i + n) % 7}`,
        variantId: `m${n}`,
        addedAt: "2026-01-01T00:00:00Z",
      }));
      record(await call("POST", `${mine}/merge`, { token, json: { items } }));
      record(await call("GET", mine, { token }));
      record(await call("GET", `${mine}/share`, { token }));
      record(await call("GET", `/v1/wishlists/shared/${link}`));
      record(await call("POST", "/v1/auth/token", { json: { api_key: shop.keyId, api_secret: shop.secret } }));
    }
  }
  const workers = Array.from({ length: 8 }, (_, index) => work(index));
  return {
    seen,
    kept,
    served: () => served,
    unavailable: () => unavailable,
    async stop() {
      going = false;
      await Promise.all(workers);
    },
  };
}

function expectServedOrUnavailable(seen: readonly Seen[]): void {
  const others = seen.filter(({ status, code, retryAfter }) => {
    if (status === 200) return false;
    return !(status === 503 && code === "service_unavailable" && /^[1-9]\d*$/.test(retryAfter ?? ""));
  });
  expect(others).toEqual([]);
}

describe("an outage of PostgreSQL under load", MATRIX, () => {
  let cluster: OpenDatabase;
  let dataDir: string;
  let service: Service;
  let call: Call;
  let shop: TestShop;
  let own: TestDatabase;

  const open = (): Promise<OpenDatabase> =>
    openDatabase({ dataDir, role: "server", label: "a test", settings: { fsync: "off" } });

  beforeAll(async () => {
    await closeDatabase();
    ({ dataDir } = await newDatabase());
    cluster = await open();
    const pool = new pg.Pool({ connectionString: cluster.url, max: 3 });
    pool.on("error", () => undefined);
    own = {
      name: "wishlist",
      url: cluster.url,
      pool,
      rows: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
        (await pool.query<Row>(sql, values)).rows,
      drop: () => pool.end(),
    };
    service = await startService({ database: own });
    call = client(service.url);
    shop = await makeShop(service, call);
    await closeDatabase();
  });
  afterAll(async () => {
    await service.stop();
    await own.drop();
    await cluster.close();
    await removeDataDirs();
  });

  /** Returns the errors that the service has logged. */
  function failures(): unknown[] {
    return service.log().flatMap(({ level, err }) => (level === "error" ? [err] : []));
  }

  async function newLink(): Promise<string> {
    const shared = await call("GET", "/v1/wishlists/linked/share", { token: shop.token });
    return shared.data<{ shareToken: string }>().shareToken;
  }

  async function expectNothingHalfDone({ kept }: Load): Promise<void> {
    expect(await disagreements(own)).toEqual([]);
    const stored = await own.rows<{ product_id: string }>(
      "SELECT product_id FROM wishlist_item WHERE product_id LIKE 'kept-%'",
    );
    const names = new Set(stored.map(({ product_id }) => product_id));
    expect(kept.filter((product) => !names.has(product))).toEqual([]);
    await own.rows("DELETE FROM activity");
    await own.rows("DELETE FROM wishlist");
  }

  const OUTAGES: readonly [string, () => Promise<void>][] = [
    ["by a shutdown", () => cluster.close()],
    [
      "by a kill",
      async () => {
        await crashServer(dataDir);
        await cluster.close();
      },
    ],
  ];
  for (const [cause, takeAway] of OUTAGES) {
    const title = `${cause} leads to 503s and recovers by itself without partial changes`;
    test(title, async () => {
      const load = putUnderLoad(call, shop, await newLink());
      await until("requests to be served", () => load.served() > 400);
      await takeAway();
      const before = load.unavailable();
      await until("responses with 503", () => load.unavailable() > before + 100);
      expect((await call("GET", "/healthz")).status).toBe(200);
      // It repeats its last result for a second.
      const unready = await until("/readyz to report the outage", async () => {
        const { status, body } = await call("GET", "/readyz");
        return status === 503 && body;
      });
      expect(unready).toMatchObject({ ready: false, checks: { database: false } });

      cluster = await open();
      expect(cluster.url).toBe(own.url);
      await until("/readyz to report ready", async () => (await call("GET", "/readyz")).status === 200);
      const served = load.served();
      const unavailable = load.unavailable();
      await until("requests to be served again", () => load.served() > served + 400);
      await load.stop();
      // After readiness, only requests that were already running may still get a 503.
      expect(load.unavailable() - unavailable).toBeLessThanOrEqual(8);

      expect(failures()).toEqual([]);
      expectServedOrUnavailable(load.seen);
      await expectNothingHalfDone(load);
      expect(service.child.exitCode).toBeNull();
    });
  }

  test("of single connections loses no change, and revocations still arrive", async () => {
    const load = putUnderLoad(call, shop, await newLink());
    for (let round = 1; round <= 10; round++) {
      await own.rows(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name LIKE 'wishlist%'`,
      );
      const served = load.served();
      await until("requests to be served again", () => load.served() > served + 40);
    }
    await load.stop();
    expect(failures()).toEqual([]);
    expectServedOrUnavailable(load.seen);
    await expectNothingHalfDone(load);

    await own.rows("UPDATE api_key SET revoked_at = now() WHERE key_id = $1", [shop.keyId]);
    await until("the revoked key to be refused", async () => {
      return (await call("GET", "/v1/wishlists/c1", { token: shop.token })).status === 401;
    });
  });
});

// ---------------------------------------------------------------------------------------------------------------------

/** The fields of every line of the log. */
const entryShape = z.looseObject({
  level: z.enum(["debug", "info", "warn", "error"]),
  time: z.iso.datetime(),
  msg: z.string(),
  role: z.literal("all"),
  pid: z.int().positive(),
  instance: z.literal(hostname()),
  requestId: z.string().optional(),
});

describe("a process under requests of all kinds", () => {
  let kept: TestDatabase;
  let launched: Launched;
  let shop: TestShop;
  /** every response of the API */
  let responses: { status: number; id: string | null }[];
  let secrets: Record<string, string>;

  beforeAll(async () => {
    await closeDatabase();
    kept = await createDatabase();
    launched = launch({ ...serviceEnv(kept.url), LOG_LEVEL: "debug" });
    const port = await until("the server to listen", () => /"port":(\d+)/.exec(launched.stdout())?.[1]);
    const url = `http://127.0.0.1:${port}`;
    const plain = client(url);
    responses = [];
    const call: Call = async (...request) => {
      const response = await plain(...request);
      if (request[1].startsWith("/v1"))
        responses.push({ status: response.status, id: response.headers.get("x-request-id") });
      return response;
    };
    shop = await makeShop({ url, database: kept } as Service, call);
    const { token } = shop;
    const customerToken = await exchange(call, shop, { customer_id: "c1" });
    const shareOf = async (customer: string): Promise<string> =>
      (await call("GET", `/v1/wishlists/${customer}/share`, { token })).data<{ shareToken: string }>().shareToken;
    const [shareToken, revokedShare] = [await shareOf("c1"), await shareOf("c2")];
    secrets = {
      secret: shop.secret,
      token,
      customerToken,
      shareToken,
      revokedShare,
      tokenSecret: TOKEN_SECRET,
      encryptionKey: ENCRYPTION_KEY.slice(3),
      databasePassword: new URL(kept.url).password,
    };

    const json = { product_id: "p1", variant_id: "v1" };
    await call("POST", "/v1/wishlists/c1/items", { token, json });
    await call("POST", "/v1/wishlists/c1/items", { token: customerToken, json });
    await call("GET", `/v1/wishlists/shared/${shareToken}`);
    await call("DELETE", "/v1/wishlists/c2/share", { token });
    await call("GET", `/v1/wishlists/shared/${revokedShare}`);
    // Secrets in places where callers put them by mistake, and where clients repeat them after a failure.
    for (const secret of [shop.secret, token, shareToken]) {
      for (const path of [
        `/v1/wishlists/shared/${secret}`,
        `/v1/wishlists/shared/${secret}/more`,
        `/v1/wishlists/${secret}`,
        `/v1/wishlists/c1?access_token=${secret}`,
        `/v1/${secret}`,
        `/${secret}`,
        `/apps/wishlist/shared/${secret}`,
        `/wishlists/shared/${secret}?token=${secret}`,
        `/?token=${secret}`,
        `/v1/docs/${secret}`,
        `/assets/${secret}`,
        `/healthz?token=${secret}`,
        `/v1/wishlists/shared/${secret}%zz`,
        `/v1/wishlists/shared/../${secret}`,
      ]) {
        await call("GET", path, { headers: { authorization: `Basic ${secret}`, referer: `https://x/${secret}` } });
        await call("POST", path, { json: { token: secret } });
        await call("PROPFIND", path, { token: secret });
      }
      await call("POST", "/v1/auth/token", { json: { api_key: secret, api_secret: secret } });
      await call("POST", "/v1/auth/token", { json: { api_key: shop.keyId, api_secret: `${secret}x`, [secret]: 1 } });
      const broken = `{"api_key":"${shop.keyId}","api_secret":"${secret}`;
      await call("POST", "/v1/auth/token", { body: broken, headers: { "content-type": "application/json" } });
      await call("POST", "/v1/auth/token", { body: secret, headers: { "content-type": "text/plain" } });
      await call("POST", "/v1/wishlists/c1/items", { token, json: { productid: secret } });
      const garbage = await openConnection(url);
      garbage.write(`${secret}\r\n\r\n`);
      await garbage.closed;
    }
    // Unexpected errors in each kind of statement.
    const away = ["wishlist_add", "wishlist_merge", "wishlist_share"];
    for (const name of away) await kept.rows(`ALTER FUNCTION ${name} RENAME TO ${name}_away`);
    await kept.rows("ALTER TABLE share_link RENAME TO share_link_away");
    await kept.rows("ALTER TABLE api_key RENAME COLUMN last_used_at TO last_used_at_away");
    await call("POST", "/v1/wishlists/c1/items", { token, json });
    await call("POST", "/v1/wishlists/c1/merge", {
      token,
      json: { items: [{ productId: "p", variantId: "v", addedAt: "2026-01-01T00:00:00Z" }] },
    });
    await call("GET", "/v1/wishlists/c3/share", { token });
    await call("GET", `/v1/wishlists/shared/${shareToken}`);
    await call("POST", "/v1/auth/token", { json: { api_key: shop.keyId, api_secret: shop.secret } });
    expect(responses.slice(-5).map(({ status }) => status)).toEqual([500, 500, 500, 500, 500]);
    launched.child.kill("SIGTERM");
    expect(await launched.ended).toBe(0);
  });
  afterAll(async () => {
    await closeDatabase();
    await kept.drop();
  });

  test("the log has one JSON line per event with the response's request id", () => {
    expect(launched.stderr()).toBe("");
    const entries = lines(launched.stdout()).map((line) => entryShape.parse(JSON.parse(line)));
    expect(new Set(entries.map(({ pid }) => pid))).toEqual(new Set([launched.child.pid]));
    const requests = entries.filter(({ msg }) => msg === "request");
    for (const { status, id } of responses) {
      expect(requests.filter(({ requestId }) => requestId === id)).toEqual([expect.objectContaining({ status })]);
    }
    const failed = entries.filter(({ level }) => level === "error");
    const broken = responses.filter(({ status }) => status === 500);
    expect(failed.map(({ requestId }) => requestId)).toEqual(broken.map(({ id }) => id));
  });

  test("the log contains no part of a secret, token or share token", () => {
    const output = launched.stdout() + launched.stderr();
    expect(output).toContain(shop.keyId);
    for (const [name, secret] of Object.entries(secrets)) {
      expect({ name, logged: output.includes(secret) }).toEqual({ name, logged: false });
      // Messages may quote a truncated secret.
      expect({ name, logged: output.includes(secret.slice(-20)) }).toEqual({ name, logged: false });
    }
  });

  test("the database contains no secret, token or share token in any encoding", async () => {
    const tables = await kept.rows<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    let dump = "";
    for (const { name } of tables) {
      const rows = await kept.rows<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`);
      dump += rows.map(({ row }) => `${name} ${row}\n`).join("");
    }
    expect(dump).toContain(shop.keyId);
    expect(dump).toContain("share_link");
    for (const [name, secret] of Object.entries(secrets)) {
      const forms = ["utf8", "hex", "base64", "base64url"] as const;
      for (const form of forms) {
        const text = Buffer.from(secret).toString(form).replace(/=+$/, "");
        expect({ name, form, kept: dump.includes(text) }).toEqual({ name, form, kept: false });
      }
    }
  });
});
