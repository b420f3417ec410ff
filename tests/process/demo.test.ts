import { chmod, mkdtemp, readFile, realpath, stat, writeFile } from "node:fs/promises";
import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { ALL_SCOPES } from "../../app/access/index.server.ts";
import { databaseUrl } from "../../server/postgres/connection.ts";
import { openDatabase } from "../../server/postgres/database.ts";
import { disagreements } from "../support/app/audit.ts";
import { client, type Call } from "../support/app/client.ts";
import { exchange } from "../support/app/shop.ts";
import { until } from "../support/until.ts";
import { type Command, killCommands, nothingLeft, processesOf, start, wishlist } from "./fixtures/commands.ts";
import { freePort } from "../support/http/ports.ts";
import { execute, newDatabase, newDataDir, recordOf, removeDataDirs, serverPid } from "./fixtures/data-folders.ts";
import { startOwner } from "./fixtures/owner-process.ts";
import { copyProject, removeProject } from "./fixtures/project-copy.ts";

const READY = "Ctrl-C stops everything";

const demoFile = z.strictObject({
  apiUrl: z.url(),
  adminUrl: z.url(),
  storefrontUrl: z.url(),
  shop: z.string(),
  apiKey: z.string().startsWith("wlk_"),
  apiSecret: z.string().startsWith("wls_"),
  logins: z.array(z.strictObject({ customerId: z.string(), name: z.string(), email: z.email() })).length(6),
  customers: z.array(z.string().regex(/^\d+$/)).length(500),
  products: z
    .array(z.strictObject({ productId: z.string().regex(/^\d+$/), variantIds: z.array(z.string()).min(1).max(6) }))
    .min(60),
  publishableKey: z.string().startsWith("wlp_"),
  storefront: z.strictObject({
    shop: z.string(),
    url: z.url(),
    apiVersion: z.string(),
    storefrontAccessToken: z.string(),
    customerAccount: z.strictObject({
      clientId: z.string(),
      redirectUris: z.array(z.url()).length(2),
      logoutUris: z.array(z.url()).length(2),
    }),
  }),
});

type DemoFile = z.infer<typeof demoFile>;

/** a copy of the project, where the demo may build */
let cwd: string;
/** a data folder in which a demo has run and was stopped */
let finished: Promise<string> | undefined;

beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "wishlist-project-")));
  await chmod(cwd, 0o755);
  await copyProject(cwd);
});

afterAll(async () => {
  await killCommands();
  await removeDataDirs();
  await removeProject(cwd);
});

async function startDemo(dataDir: string, port?: number): Promise<Command> {
  const env = { DATA_DIR: dataDir, PORT: String(port ?? (await freePort())) };
  return start("demo", { env, cwd });
}

/** Starts a demo and waits until it is ready. */
async function runDemo(dataDir: string): Promise<Command> {
  const demo = await startDemo(dataDir);
  await demo.says(READY);
  return demo;
}

/** Returns a copy of the data folder of a demo that has run and was stopped. */
async function finishedDemo(): Promise<string> {
  finished ??= runToEnd();
  const { dataDir } = await newDataDir();
  await execute("cp", ["-a", await finished, dataDir]);
  return dataDir;
}

async function runToEnd(): Promise<string> {
  const { dataDir } = await newDataDir();
  const demo = await runDemo(dataDir);
  await demo.ctrlC();
  return dataDir;
}

async function readDemoFile(dataDir: string): Promise<DemoFile> {
  return demoFile.parse(JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8")));
}

async function rowsOf<Row extends pg.QueryResultRow>(dataDir: string, sql: string): Promise<Row[]> {
  const connection = new pg.Client({ connectionString: databaseUrl(await recordOf(dataDir)) });
  await connection.connect();
  try {
    return (await connection.query<Row>(sql)).rows;
  } finally {
    await connection.end();
  }
}

/** Counts the rows of every table that seeding fills. */
async function amounts(dataDir: string): Promise<unknown> {
  const count = (table: string): string => `(SELECT count(*)::integer FROM ${table}) AS ${table}`;
  const tables = ["shop", "product", "variant", "wishlist", "wishlist_item", "activity", "share_link"];
  return (await rowsOf(dataDir, `SELECT ${tables.map(count).join(", ")}`))[0];
}

/** Returns the id of the demo's process, as opposed to npm's. */
async function nodePid(dataDir: string): Promise<number> {
  return z.object({ pid: z.int() }).parse(JSON.parse(await readFile(join(dataDir, "owner.json"), "utf8"))).pid;
}

const token = ({ apiUrl, apiKey, apiSecret }: DemoFile): Promise<string> =>
  exchange(client(apiUrl), { keyId: apiKey, secret: apiSecret });

interface Page {
  items: { productId: string; variantId: string; addedAt: string }[];
  count: number;
  total: number;
  has_more: boolean;
}

describe("the first start of the demo", () => {
  test("leaves no process behind when it is interrupted at any stage", { timeout: 10 * 60_000 }, async () => {
    const { dataDir } = await newDataDir();
    const stages = ["Creating the database", "Starting the database", "Building the app", "Filling the demo shop"];
    for (const stage of stages) {
      const demo = await startDemo(dataDir);
      await demo.says(stage);
      const { code, stdout, stderr } = await demo.ctrlC();
      expect({ stage, code, stderr, ready: stdout.includes(READY) }).toEqual({
        stage,
        code: 130,
        stderr: "",
        ready: false,
      });
      await nothingLeft(dataDir);
    }
    const demo = await runDemo(dataDir);
    expect(demo.output()).toContain("Filling the demo shop");
    expect(await demo.ctrlC()).toMatchObject({ code: 0, stderr: "" });
    await nothingLeft(dataDir);
    finished ??= Promise.resolve(dataDir);
  });

  test("leaves no process behind when it is interrupted while migrating", async () => {
    const { dataDir } = await newDataDir();
    // The demo adopts the server of a killed owner, so this test can take the migration lock first.
    const owner = startOwner({ dataDir });
    const { url } = await owner.next("open");
    await owner.kill("SIGKILL");
    const holder = new pg.Client({ connectionString: url });
    holder.on("error", () => undefined);
    await holder.connect();
    await holder.query("SELECT pg_advisory_lock(72707369)");

    const demo = await startDemo(dataDir);
    await until("the demo that waits to migrate", async () => {
      const { rows } = await holder.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'wishlist migrate'");
      return rows.length > 0;
    });
    expect(await demo.ctrlC()).toMatchObject({ code: 130, stderr: "" });
    await nothingLeft(dataDir);
    await holder.end();

    const next = await startDemo(dataDir);
    await next.says("Applied ");
    await next.ctrlC();
  });

  test("is completed by the next start when it was killed while seeding", async () => {
    const { dataDir } = await newDatabase();
    const demo = await startDemo(dataDir);
    await demo.says("Filling the demo shop");
    process.kill(await nodePid(dataDir), "SIGKILL");
    await demo.ended;
    expect(await serverPid(dataDir)).toBeDefined();

    const last = await runDemo(dataDir);
    expect(last.output()).toContain("Filling the demo shop");
    const seeded = await amounts(dataDir);
    expect(await last.ctrlC()).toMatchObject({ code: 0, stderr: "" });
    await nothingLeft(dataDir);

    const other = await finishedDemo();
    const whole = await openDatabase({ dataDir: other, role: "command", label: "a test" });
    expect(seeded).toEqual(await amounts(other));
    await whole.close();
  });
});

describe("a running demo", () => {
  let dataDir: string;
  let demo: Command;
  let file: DemoFile;
  let call: Call;
  let bearer: string;

  beforeAll(async () => {
    dataDir = await finishedDemo();
    demo = await runDemo(dataDir);
    file = await readDemoFile(dataDir);
    call = client(file.apiUrl);
    bearer = await token(file);
  });

  afterAll(async () => {
    await demo.ctrlC();
  });

  test("prints its addresses, its shop and its API key", () => {
    const shown = demo.output();
    const { apiUrl, storefrontUrl, adminUrl, shop, apiKey, apiSecret } = file;
    for (const part of [storefrontUrl, adminUrl, `${apiUrl}/v1`, `${apiUrl}/v1/docs`, shop, apiKey, apiSecret]) {
      expect(shown).toContain(`${part}\n`);
    }
    expect(shown).toContain(file.publishableKey);
    expect(shown).toContain(file.customers[0]);
    expect(shown).toContain(join(dataDir, "demo.json"));
  });

  test("writes its secrets to files that only their owner can read", async () => {
    expect((await stat(join(dataDir, "demo.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, "secrets.json"))).mode & 0o777).toBe(0o600);
  });

  test("has a store with a storefront, an admin and the installed app", async () => {
    const home = await fetch(file.storefrontUrl);
    expect(home.status).toBe(200);
    expect(await home.text()).toContain("/products/");
    const [login] = file.logins;
    const known = (await call("GET", `/v1/wishlists/${login?.customerId ?? ""}`, { token: bearer })).data<Page>();
    expect(known.total).toBeGreaterThan(0);
    const [facts] = await rowsOf<{ catalog: string; sessions: number; plan: string }>(
      dataDir,
      "SELECT catalog, plan, (SELECT count(*) FROM session)::integer AS sessions FROM shop",
    );
    expect(facts).toEqual({ catalog: "ready", sessions: 1, plan: "growth" });
    const admin = await fetch(file.adminUrl);
    expect([admin.status, (await admin.text()).includes("<iframe")]).toEqual([200, true]);
  });

  test("writes what a shop front of another origin needs to show products and to log a customer in", async () => {
    const origin = "http://localhost:5173";
    const { url, apiVersion, storefrontAccessToken, customerAccount } = file.storefront;
    const products = await fetch(`${url}/api/${apiVersion}/graphql.json`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-shopify-storefront-access-token": storefrontAccessToken },
      body: JSON.stringify({ query: "{ products(first: 1) { nodes { id } } }" }),
    });
    expect(await products.json()).toMatchObject({ data: { products: { nodes: [{}] } } });

    const discovered = await fetch(`${url}/.well-known/openid-configuration`);
    const endpoints = z
      .object({ authorization_endpoint: z.url(), token_endpoint: z.url() })
      .parse(await discovered.json());
    const redirectUri = customerAccount.redirectUris.find((address) => address.startsWith(origin)) ?? "";
    const verifier = randomBytes(32).toString("base64url");
    const authorization = new URL(endpoints.authorization_endpoint);
    authorization.search = new URLSearchParams({
      client_id: customerAccount.clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "openid",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    }).toString();
    const login = await fetch(authorization, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ customer_id: file.logins[0]?.customerId ?? "" }),
    });
    const tokens = await fetch(endpoints.token_endpoint, {
      method: "POST",
      headers: { origin },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: customerAccount.clientId,
        redirect_uri: redirectUri,
        code: new URL(login.headers.get("location") ?? "").searchParams.get("code") ?? "",
        code_verifier: verifier,
      }),
    });
    const { access_token } = z.object({ access_token: z.string() }).parse(await tokens.json());
    const exchanged = await call("POST", "/v1/auth/storefront-token", {
      headers: { origin },
      json: { publishable_key: file.publishableKey, customer_access_token: access_token },
    });
    const { token: shopper } = exchanged.data<{ token: string; owner: "customer" }>();
    expect((await call("GET", "/v1/wishlists/me", { token: shopper })).data<Page>().total).toBeGreaterThan(0);
  });

  test("listens on 127.0.0.1 only", async () => {
    const { hostname, port } = new URL(file.apiUrl);
    expect(hostname).toBe("127.0.0.1");
    const sockets = (await readFile("/proc/net/tcp", "utf8")) + (await readFile("/proc/net/tcp6", "utf8"));
    const listening = sockets.matchAll(/^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0A /gm);
    const ours = [...listening].filter(([, , at = ""]) => Number.parseInt(at, 16) === Number(port));
    expect(ours.map(([, address]) => address)).toEqual(["0100007F"]);
  });

  test("has a customer with several pages of items, each item once", async () => {
    const customer = file.customers[0] ?? "";
    const items: Page["items"] = [];
    let more = true;
    while (more) {
      const page = (
        await call("GET", `/v1/wishlists/${customer}?limit=20&offset=${items.length}`, { token: bearer })
      ).data<Page>();
      items.push(...page.items);
      more = page.has_more;
      expect(page.items.length).toBe(page.count);
      if (!more) expect(items.length).toBe(page.total);
    }
    expect(items.length).toBeGreaterThan(40);
    expect(new Set(items.map(({ productId, variantId }) => `${productId}/${variantId}`)).size).toBe(items.length);
    const known = new Map(file.products.map(({ productId, variantIds }) => [productId, variantIds]));
    for (const { productId, variantId } of items) expect(known.get(productId)).toContain(variantId);
  });

  test("adds the default variant when a request names a product only", async () => {
    const customer = "a-new-customer";
    const product = file.products.find(({ variantIds }) => variantIds.length > 1);
    if (!product) throw new Error("no product has several variants");
    const response = await call("POST", `/v1/wishlists/${customer}/items`, {
      token: bearer,
      json: { product_id: product.productId },
    });
    expect(response.data<{ added: boolean }>()).toMatchObject({ added: true });
    const { items } = (await call("GET", `/v1/wishlists/${customer}`, { token: bearer })).data<Page>();
    expect(items).toMatchObject([{ productId: product.productId, variantId: product.variantIds[0] }]);
  });

  test("has a consistent shop with 90 days of activity", async () => {
    expect(await disagreements({ rows: (sql) => rowsOf(dataDir, sql) })).toEqual([]);
    const [facts] = await rowsOf<Record<string, number>>(
      dataDir,
      `SELECT (SELECT count(*) FROM product)::integer AS products,
              (SELECT max(n) FROM (SELECT count(*) AS n FROM variant GROUP BY product_id) v)::integer AS most_variants,
              (SELECT min(n) FROM (SELECT count(*) AS n FROM variant GROUP BY product_id) v)::integer AS fewest_variants,
              (SELECT count(*) FROM wishlist_item)::integer AS items,
              (SELECT count(DISTINCT day) FROM activity)::integer AS days,
              (SELECT max(day) - min(day) FROM activity)::integer AS span,
              (SELECT count(*) FROM activity WHERE at > now())::integer AS ahead,
              (SELECT count(*) FROM share_link)::integer AS shared`,
    );
    expect(facts).toMatchObject({ most_variants: 6, fewest_variants: 1, ahead: 0 });
    expect(facts?.["products"]).toBeGreaterThanOrEqual(60);
    expect(facts?.["items"]).toBeGreaterThan(3_000);
    expect(facts?.["days"]).toBeGreaterThanOrEqual(85);
    expect(facts?.["span"]).toBeGreaterThanOrEqual(85);
    expect(facts?.["span"]).toBeLessThanOrEqual(91);
    expect(facts?.["shared"]).toBeGreaterThan(0);
  });

  test("accepts a key of the command line at once, until that revokes it", async () => {
    const env = { DATA_DIR: dataDir };
    const made = await wishlist(env, "keys", "create", "--shop", file.shop, "--name", "T", "--scopes", "all", "--json");
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const key = z
      .strictObject({
        shop: z.string(),
        keyId: z.string(),
        secret: z.string(),
        kind: z.string(),
        scopes: z.array(z.string()),
      })
      .parse(JSON.parse(made.stdout));
    expect(key).toMatchObject({ shop: file.shop, scopes: ALL_SCOPES });
    const access = await exchange(call, key);
    expect((await call("GET", "/v1/wishlists/x", { token: access })).status).toBe(200);

    expect((await wishlist(env, "keys", "revoke", key.keyId)).code).toBe(0);
    await until("the end of the revoked key's token", async () => {
      return (await call("GET", "/v1/wishlists/x", { token: access })).status === 401;
    });
    // Commands that joined a demo do not stop its database.
    expect((await call("GET", "/v1/wishlists/x", { token: bearer })).status).toBe(200);
  });

  test.each(["the same port", "another port"])("refuses a second demo on the same data and %s", async (which) => {
    const before = await readFile(join(dataDir, "demo.json"), "utf8");
    const port = which === "the same port" ? Number(new URL(file.apiUrl).port) : await freePort();
    const { code, stdout, stderr } = await (await startDemo(dataDir, port)).ended;
    expect({ code, output: stdout.replace("Wishlist Headless demo\n", "") }).toEqual({ code: 1, output: "" });
    expect(stderr).toMatch(new RegExp(`^.*"npm run demo"[ (,]*pid ${await nodePid(dataDir)}.*\\n$`));
    expect(await readFile(join(dataDir, "demo.json"), "utf8")).toBe(before);
    expect((await call("GET", "/v1/wishlists/x", { token: bearer })).status).toBe(200);
  });
});

describe("a later start of the demo", () => {
  test("keeps data and API key, and replaces a key that no longer works", async () => {
    const dataDir = await finishedDemo();
    const first = await readDemoFile(dataDir);
    const demo = await runDemo(dataDir);
    expect(demo.output()).not.toContain("Building");
    expect(demo.output()).not.toContain("Filling");
    const second = await readDemoFile(dataDir);
    const withoutPorts = ({ apiUrl: _, adminUrl: __, storefrontUrl: ___, storefront, ...rest }: DemoFile) => ({
      ...rest,
      storefront: { ...storefront, url: "" },
    });
    expect(withoutPorts(second)).toEqual(withoutPorts(first));
    const bearer = await token(second);
    const items = { product_id: second.products[0]?.productId };
    await client(second.apiUrl)("POST", "/v1/wishlists/keeps/items", { token: bearer, json: items });
    for (const key of [second.apiKey, second.publishableKey]) {
      expect((await wishlist({ DATA_DIR: dataDir }, "keys", "revoke", key)).code).toBe(0);
    }
    await demo.ctrlC();

    await chmod(join(dataDir, "demo.json"), 0o644);
    const next = await runDemo(dataDir);
    const third = await readDemoFile(dataDir);
    expect(third.apiKey).not.toBe(first.apiKey);
    expect(third.publishableKey).not.toBe(first.publishableKey);
    expect((await stat(join(dataDir, "demo.json"))).mode & 0o777).toBe(0o600);
    const page = await client(third.apiUrl)("GET", "/v1/wishlists/keeps", { token: await token(third) });
    expect(page.data<Page>().total).toBe(1);
    await next.ctrlC();

    await writeFile(join(dataDir, "demo.json"), '{ "apiUrl": "http');
    const last = await runDemo(dataDir);
    expect(await token(await readDemoFile(dataDir))).toBeTruthy();
    await last.ctrlC();
    await nothingLeft(dataDir);
  });

  test("adopts the database that a killed demo left running", async () => {
    const dataDir = await finishedDemo();
    const demo = await runDemo(dataDir);
    const before = await readDemoFile(dataDir);
    const postgres = await serverPid(dataDir);
    process.kill(await nodePid(dataDir), "SIGKILL");
    await demo.ended;
    expect(await serverPid(dataDir)).toBe(postgres);

    const next = await runDemo(dataDir);
    expect(await serverPid(dataDir)).toBe(postgres);
    const file = await readDemoFile(dataDir);
    expect(file.apiKey).toBe(before.apiKey);
    const response = await client(file.apiUrl)("GET", `/v1/wishlists/${file.customers[0] ?? ""}`, {
      token: await token(file),
    });
    expect(response.data<Page>().total).toBeGreaterThan(40);
    await next.ctrlC();
    await nothingLeft(dataDir);
  });
});

describe("a signal other than Ctrl-C", () => {
  test("from a closed terminal stops the demo and its database", async () => {
    const dataDir = await finishedDemo();
    const demo = await runDemo(dataDir);
    await demo.hangUp();
    await nothingLeft(dataDir);
    expect(await serverPid(dataDir)).toBeUndefined();
  });

  test("SIGTERM to npm stops a running demo with all its processes", async () => {
    const dataDir = await finishedDemo();
    const demo = await runDemo(dataDir);
    expect(await processesOf(dataDir)).not.toEqual([]);
    await demo.terminate();
    await nothingLeft(dataDir);
    expect(await serverPid(dataDir)).toBeUndefined();
  });

  test("SIGTERM to npm stops a demo that is building, and the build", async () => {
    const dataDir = await finishedDemo();
    const built = async (): Promise<number> => (await stat(join(cwd, "build/server/index.js"))).mtimeMs;
    const before = await built();
    await writeFile(join(cwd, "app/another.css"), "");
    const demo = await startDemo(dataDir);
    await demo.says("Building the app");
    expect(await demo.terminate()).toMatchObject({ stderr: "" });
    await nothingLeft(dataDir);
    expect(await built()).toBe(before);
  });
});

describe("a start of the demo fails with one line", () => {
  let occupant: Server | undefined;
  afterEach(() => {
    occupant?.close();
  });

  test("and changes nothing when its port is in use", async () => {
    occupant = createServer().listen(0, "127.0.0.1");
    await once(occupant, "listening");
    const address = occupant.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const { dataDir } = await newDataDir();
    const { code, stdout, stderr } = await (await startDemo(dataDir, port)).ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr: `Port ${port} is in use; stop that program, or set PORT to another port\n`,
    });
    await expect(stat(dataDir)).rejects.toThrow("ENOENT");
  });

  test("when its data folder is a file", async () => {
    const { dataDir } = await newDataDir();
    await writeFile(dataDir, "");
    const { code, stdout, stderr } = await (await startDemo(dataDir)).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^The data folder .* cannot be used .*\n$/);
  });

  test("when its secrets file is damaged", async () => {
    const dataDir = await finishedDemo();
    await writeFile(join(dataDir, "secrets.json"), "{");
    const { code, stdout, stderr } = await (await startDemo(dataDir)).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      `${dataDir}/secrets.json is damaged; restore it, or delete ${dirname(dataDir)}/data to start with an empty database\n`,
    );
  });
});
