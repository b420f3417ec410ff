// `npm run test:update -- <git ref>`: updates from the release of a commit to this one under load, and counts what goes wrong. Run it before a
// release; it takes a few minutes and is no part of `npm test`.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { z } from "zod";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { FULL, ITEMS_SQL, wishlistsSql, type Shape } from "../../bench/data/shape.ts";
import { onEnd, runProgram } from "../../bench/lifetime.ts";
import { openDatabase } from "../../server/postgres/database.ts";
import { disagreements, wrongRollups } from "../support/app/audit.ts";
import { issueKey } from "../support/app/shop.ts";
import { SHOPIFY_ENV } from "../support/app/storefront.ts";
import { startBalancer } from "../support/http/balancer.ts";
import { until } from "../support/until.ts";
import { startReceiver, type Receiver } from "../support/webhooks/receiver.ts";
import { compareEvents, compareItems, type Findings } from "./compare.ts";
import { useApi, useStorefront, useWebhooks, type Account, type Shop } from "./load.ts";
import { buildRelease, makeRelease, removeRelease, startRelease, type ReleaseProcess } from "./release.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));
const API_CLIENTS = 8;
const STOREFRONT_CLIENTS = 4;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "10" },
    items: { type: "string", default: "0" },
    "no-build": { type: "boolean", default: false },
  },
});
const [ref] = positionals;
if (ref === undefined) {
  process.stderr.write(
    "Name the commit of the release before: npm run test:update -- <git ref> [--seconds 10] [--items 2000000] [--no-build]\n",
  );
  process.exit(2);
}
const phase = Number(values.seconds) * 1_000;

const started = performance.now();
function say(line: string): void {
  process.stdout.write(`${((performance.now() - started) / 1_000).toFixed(1).padStart(6)} s  ${line}\n`);
}

function settings(databaseUrl: string, role: "web" | "worker"): Record<string, string> {
  return {
    ...SHOPIFY_ENV,
    NODE_ENV: "test",
    WEBHOOKS_ALLOW_LOOPBACK: "1",
    HOST: "127.0.0.1",
    PORT: "0",
    DATABASE_URL: databaseUrl,
    WISHLIST_ROLE: role,
    SHUTDOWN_DELAY_SECONDS: "1",
    LOG_LEVEL: "info",
    TOKEN_SECRETS: "vH2sKq8Zr1Xw5Ty9Lm3Np7Bc4Df6Gj0QaUeRoIi",
    ENCRYPTION_KEYS: `k1:${Buffer.from("0123456789abcdefghijklmnopqrstuv").toString("base64")}`,
    RATE_LIMIT_ADMIN_PER_MINUTE: "1000000",
    RATE_LIMIT_STOREFRONT_PER_MINUTE: "1000000",
    RATE_LIMIT_STOREFRONT_ADDRESS_PER_MINUTE: "1000000",
    RATE_LIMIT_NEW_GUESTS_PER_HOUR: "1000000",
  };
}

const response = z.object({ data: z.object({ token: z.string().optional(), secret: z.string().optional() }) });

/** Creates a shop as both releases know it: this one's models may have columns that the database does not have yet. */
async function createShop(pool: pg.Pool, domain: string): Promise<{ id: number; domain: string }> {
  const { rows } = await pool.query<{ id: string }>(
    "INSERT INTO shop (domain, plan, time_zone) VALUES ($1, 'growth', 'UTC') RETURNING id",
    [domain],
  );
  return { id: Number(rows[0]?.id), domain };
}

/** SQL for the activity of the bulk load. $1 is the shop. */
const ACTIVITY_SQL = `
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, at, day, processed_at)
  SELECT i.shop_id, 'added', 'api', w.owner_kind, w.owner_id, w.id, row_number() OVER (PARTITION BY w.id ORDER BY i.seq),
         row_number() OVER (PARTITION BY w.id ORDER BY i.seq), i.product_id, i.variant_id, i.added_at, i.saved_on, i.added_at
    FROM wishlist_item i JOIN wishlist w ON w.shop_id = i.shop_id AND w.id = i.wishlist_id
   WHERE i.shop_id = $1`;

/** Fills another shop with items and their activity, which the migrations have to pass. */
async function fill(pool: pg.Pool, items: number): Promise<void> {
  const shape: Shape = { ...FULL, items, wishlists: items / 20, pages: items / 200, long: 0 };
  const { id } = await createShop(pool, "filled.myshopify.com");
  for (const sql of [wishlistsSql(shape), ITEMS_SQL, ACTIVITY_SQL]) await pool.query(sql, [id]);
  await pool.query("VACUUM (ANALYZE)");
}

/** Prepares the shop with which the clients work: its key and its webhook. */
async function prepareShop(
  made: { id: number; domain: string },
  databaseUrl: string,
  apiUrl: string,
  receiver: Receiver,
): Promise<{ shopId: number; shop: Shop; webhookSecret: string }> {
  provideSettings({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: "2", LOG_LEVEL: "silent" });
  const key = await issueKey(made.id);
  await closeDatabase();
  const shop = { domain: made.domain, keyId: key.keyId, secret: key.secret };
  const post = async (target: string, json: object, token = ""): Promise<z.infer<typeof response>["data"]> => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const received = await fetch(`${apiUrl}${target}`, { method: "POST", headers, body: JSON.stringify(json) });
    const text = await received.text();
    if (!received.ok) throw new Error(`POST ${target}: ${received.status} ${text}`);
    return response.parse(JSON.parse(text)).data;
  };
  const { token } = await post("/v1/auth/token", { api_key: shop.keyId, api_secret: shop.secret });
  const webhook = await post("/v1/webhooks", { url: receiver.url, events: ["wishlist.item.added"] }, token);
  return { shopId: made.id, shop, webhookSecret: webhook.secret ?? "" };
}

async function update(release: string): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), "wishlist-update-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  const receiver = await startReceiver();
  onEnd(() => receiver.close());
  const balancer = await startBalancer();
  onEnd(() => balancer.close());
  const database = await openDatabase({
    dataDir: path.join(folder, "data"),
    role: "server",
    label: "npm run test:update",
  });
  onEnd(() => database.close());
  const pool = new pg.Pool({ connectionString: database.url, max: 2, application_name: "test:update" });
  pool.on("error", () => undefined);
  onEnd(() => pool.end());

  const before = path.join(folder, "before");
  onEnd(() => removeRelease(before));
  await makeRelease(release, before, say);
  if (!values["no-build"]) await buildRelease(project, say);
  const processes: ReleaseProcess[] = [];
  const start = async (of: string, role: "web" | "worker"): Promise<void> => {
    const one = await startRelease(of, settings(database.url, role));
    processes.push(one);
    if (role === "web") balancer.add(one.url);
  };
  const exits: string[] = [];
  const stop = async (one: ReleaseProcess): Promise<void> => {
    const code = await one.stop();
    if (code !== 0) exits.push(`a process ended with ${code ?? "a signal"}`);
  };
  say("Starting the release before …");
  await start(before, "web");
  await start(before, "worker");
  const old = [...processes];
  await until("the release before to be ready", () => balancer.ready().length === 1);
  if (Number(values.items) > 0) {
    await fill(pool, Number(values.items));
    say(`Filled a shop with ${Number(values.items).toLocaleString("en")} items.`);
  }
  const made = await createShop(pool, "update.myshopify.com");
  const { shopId, shop, webhookSecret } = await prepareShop(made, database.url, balancer.url, receiver);

  const account: Account = { requests: 0, failures: [], stored: new Set(), events: [], isOver: false };
  const clients = [
    ...Array.from({ length: API_CLIENTS }, (_, index) => useApi(balancer.url, shop, account, `api-${index}`)),
    ...Array.from({ length: STOREFRONT_CLIENTS }, (_, index) =>
      useStorefront(balancer.url, shop, account, `${700 + index}`),
    ),
    useWebhooks(balancer.url, shop, account, receiver.url),
  ];
  const report = (what: string): void => {
    say(`${what}: ${account.requests} requests, ${account.failures.length} failed`);
  };
  await pause(phase);
  report("The release before alone");
  const updating = performance.now();
  await start(project, "web");
  say(`The migrations took ${((performance.now() - updating) / 1_000).toFixed(1)} s, the start of a process included.`);
  await start(project, "worker");
  await until("the new release to be ready", () => balancer.ready().length === 2);
  await pause(phase);
  report("Both releases");
  for (const one of old) await stop(one);
  await pause(phase);
  account.isOver = true;
  await Promise.all(clients);
  report("The new release alone");

  await until("the deliveries", async () => {
    const { rows } = await pool.query(
      `SELECT 1 FROM activity WHERE processed_at IS NULL UNION ALL SELECT 1 FROM webhook_delivery d
         JOIN webhook_endpoint e ON e.shop_id = d.shop_id AND e.id = d.endpoint_id WHERE d.status = 'pending' LIMIT 1`,
    );
    return rows.length === 0;
  });
  for (const one of processes.slice(old.length)) await stop(one);
  const rows = async <Row extends pg.QueryResultRow>(sql: string, parameters: unknown[] = []) =>
    (await pool.query<Row>(sql, parameters)).rows;
  const items = await rows<{ item: string }>(
    "SELECT w.owner_id || ' ' || i.product_id AS item FROM wishlist w JOIN wishlist_item i ON i.shop_id = w.shop_id AND i.wishlist_id = w.id WHERE w.shop_id = $1 AND w.owner_kind = 'customer'",
    [shopId],
  );
  const findings: Findings = {
    "failed requests": account.failures,
    ...compareItems(new Set(items.map(({ item }) => item)), account),
    ...compareEvents(receiver.received, account, webhookSecret),
    "wishlists that contradict their log": await disagreements({ rows }),
    // The release before does not count by hour.
    "wrong rollups": (await wrongRollups(rows, shopId)).filter(
      (rollup) => !rollup.startsWith("changes of a day's hours"),
    ),
    "errors in the log": processes.flatMap(({ errors }) => errors),
    "unexpected ends": exits,
  };
  const counts = Object.entries(findings).map(([what, found]) => [what, found.length] as const);
  const acknowledged = { items: account.stored.size, events: account.events.length };
  const result = { requests: account.requests, acknowledged, ...Object.fromEntries(counts) };
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  for (const [what, found] of Object.entries(findings)) {
    for (const one of [...new Set(found)].slice(0, 10)) say(`${what}: ${one}`);
  }
  return counts.every(([, count]) => count === 0);
}

await runProgram(() => update(ref));
