import { chmod, mkdtemp, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { MATRIX } from "../support/matrix.ts";
import { ALL_SCOPES } from "../../app/access/index.server.ts";
import { generateShop } from "../../prisma/seed/generate.ts";
import { localSecrets } from "../../server/dev/local-secrets.ts";
import { databaseUrl } from "../../server/postgres/connection.ts";
import { disagreements } from "../support/app/audit.ts";
import { client, type Call } from "../support/app/client.ts";
import { exchange } from "../support/app/shop.ts";
import { until } from "../support/until.ts";
import { cli, type Command, killCommands, nothingLeft, project, start } from "./fixtures/commands.ts";
import { freePort } from "../support/http/ports.ts";
import { execute, newDatabase, newDataDir, recordOf, removeDataDirs, serverPid } from "./fixtures/data-folders.ts";
import { startOwner } from "./fixtures/owner-process.ts";
import { replay } from "../unit/seed/replay.ts";
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
/** the data folder of the running demo and of the later start */
let dataDir: string;

beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "wishlist-project-")));
  await chmod(cwd, 0o755);
  await copyProject(cwd);
  ({ dataDir } = await newDatabase());
});

afterAll(async () => {
  await killCommands();
  await removeDataDirs();
  await removeProject(cwd);
});

async function startDemo(folder: string, port?: number): Promise<Command> {
  const env = { DATA_DIR: folder, PORT: String(port ?? (await freePort())) };
  return start("demo", { env, cwd });
}

/** Copies this project's build, so that a start need not build. */
async function copyBuild(): Promise<void> {
  await rm(join(cwd, "build"), { recursive: true, force: true });
  await execute("cp", ["-a", join(project, "build"), cwd]);
}

async function readDemoFile(): Promise<DemoFile> {
  return demoFile.parse(JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8")));
}

async function rowsOf<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const connection = new pg.Client({ connectionString: databaseUrl(await recordOf(dataDir)) });
  await connection.connect();
  try {
    return (await connection.query<Row>(sql)).rows;
  } finally {
    await connection.end();
  }
}

/** Returns the id of the demo's process, as opposed to npm's. */
async function nodePid(): Promise<number> {
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

describe("a start of the demo that does not become ready", MATRIX, () => {
  let unready: string;

  beforeAll(async () => {
    ({ dataDir: unready } = await newDataDir());
  });

  test("leaves no process behind when Ctrl-C interrupts the build and the creation of the database", async () => {
    const demo = await startDemo(unready);
    await demo.says("Building the app");
    expect(demo.output()).toContain("Creating the database");
    expect(await demo.ctrlC()).toMatchObject({ code: 130, stderr: "" });
    expect(demo.output()).not.toContain(READY);
    await nothingLeft(unready);
  });

  test("stops the build, the migrations and the database after SIGTERM to npm", async () => {
    // The demo adopts the server of a killed owner, so this test can take the migration lock first.
    const owner = startOwner({ dataDir: unready });
    const { url } = await owner.next("open");
    await owner.kill("SIGKILL");
    const holder = new pg.Client({ connectionString: url });
    holder.on("error", () => undefined);
    await holder.connect();
    await holder.query("SELECT pg_advisory_lock(72707369)");

    const demo = await startDemo(unready);
    await demo.says("Building the app");
    await until("the demo that waits to migrate", async () => {
      const { rows } = await holder.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'wishlist migrate'");
      return rows.length > 0;
    });
    expect(await demo.terminate()).toMatchObject({ stderr: "" });
    await nothingLeft(unready);
    await expect(stat(join(cwd, "build/server/.inputs"))).rejects.toThrow("ENOENT");
    await holder.end();
  });

  test("stops the database and reports the reason when the build fails", async () => {
    const broken = join(cwd, "app/routes/healthz.ts");
    const source = await readFile(broken, "utf8");
    await writeFile(broken, "export function function loader");
    const { code, stderr, stdout } = await (await startDemo(unready)).ended;
    await writeFile(broken, source);
    expect({ code, ready: stdout.includes(READY) }).toEqual({ code: 1, ready: false });
    expect(stderr).toMatch(/^The build failed:\n/);
    expect(stderr).toContain("healthz.ts");
    await nothingLeft(unready);
  });

  test("changes nothing when its port is in use", async () => {
    const occupant = createServer().listen(0, "127.0.0.1");
    await once(occupant, "listening");
    const address = occupant.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const { dataDir: absent } = await newDataDir();
    const { code, stdout, stderr } = await (await startDemo(absent, port)).ended;
    occupant.close();
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr: `Port ${port} is in use; stop that program, or set PORT to another port\n`,
    });
    await expect(stat(absent)).rejects.toThrow("ENOENT");
  });

  test("names its secrets file when that is damaged", async () => {
    await writeFile(join(unready, "secrets.json"), "{");
    await expect(localSecrets(unready)).rejects.toThrow(
      `${unready}/secrets.json is damaged; restore it, or delete ${unready} to start with an empty database`,
    );
  });
});

describe("a running demo", () => {
  let demo: Command;
  let file: DemoFile;
  let call: Call;
  let bearer: string;
  let adopted: number | undefined;

  // An earlier start was killed while it filled the shop.
  beforeAll(async () => {
    await copyBuild();
    const killed = await startDemo(dataDir);
    await killed.says("Filling the demo shop");
    adopted = await serverPid(dataDir);
    process.kill(await nodePid(), "SIGKILL");
    await killed.ended;

    demo = await startDemo(dataDir);
    await demo.says(READY);
    file = await readDemoFile();
    call = client(file.apiUrl);
    bearer = await token(file);
  });

  test("uses the database server that a killed start left running", async () => {
    expect(adopted).toBeDefined();
    expect(await serverPid(dataDir)).toBe(adopted);
  });

  test("has the whole shop after a start that was killed while it filled the shop", async () => {
    expect(demo.output()).toContain("Filling the demo shop");
    const shop = generateShop(new Date());
    const count = (table: string): string => `(SELECT count(*)::integer FROM ${table}) AS ${table}`;
    const tables = ["shop", "product", "variant", "wishlist_item"];
    expect(await rowsOf(`SELECT ${tables.map(count).join(", ")}`)).toEqual([
      {
        shop: 1,
        product: shop.products.length,
        variant: shop.products.flatMap(({ variants }) => variants).length,
        wishlist_item: [...replay(shop).saved.values()].reduce((sum, { size }) => sum + size, 0),
      },
    ]);
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
    expect(await disagreements({ rows: rowsOf })).toEqual([]);
    const [facts] = await rowsOf<Record<string, number>>(
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
    const made = await cli(env, "keys", "create", "--shop", file.shop, "--name", "T", "--scopes", "all", "--json");
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

    expect((await cli(env, "keys", "revoke", key.keyId)).code).toBe(0);
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
    expect(stderr).toMatch(new RegExp(`^.*"npm run demo"[ (,]*pid ${await nodePid()}.*\\n$`));
    expect(await readFile(join(dataDir, "demo.json"), "utf8")).toBe(before);
    expect((await call("GET", "/v1/wishlists/x", { token: bearer })).status).toBe(200);
  });

  test("leaves no process behind after Ctrl-C", async () => {
    expect(await demo.ctrlC()).toMatchObject({ code: 0, stderr: "" });
    await nothingLeft(dataDir);
    expect(await serverPid(dataDir)).toBeUndefined();
  });
});

describe("a later start of the demo", () => {
  let first: DemoFile;
  let demo: Command;

  beforeAll(async () => {
    first = await readDemoFile();
    demo = await startDemo(dataDir);
    await demo.says(READY);
  });

  test("builds and fills nothing", () => {
    expect(demo.output()).not.toContain("Building");
    expect(demo.output()).not.toContain("Filling");
  });

  test("keeps the data and the keys", async () => {
    const second = await readDemoFile();
    const withoutPorts = ({ apiUrl: _, adminUrl: __, storefrontUrl: ___, storefront, ...rest }: DemoFile) => ({
      ...rest,
      storefront: { ...storefront, url: "" },
    });
    expect(withoutPorts(second)).toEqual({ ...withoutPorts(first), customers: expect.any(Array) as unknown });
    const page = await client(second.apiUrl)("GET", "/v1/wishlists/a-new-customer", { token: await token(second) });
    expect(page.data<Page>().total).toBe(1);
  });

  test("stops with its database when the terminal is closed", async () => {
    await demo.hangUp();
    await nothingLeft(dataDir);
    expect(await serverPid(dataDir)).toBeUndefined();
  });
});
