import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { migrate } from "../../app/platform/database/migrations.server.ts";
import { distribute } from "../../server/distribution/distribute.ts";
import { readDistribution } from "../../server/distribution/state.ts";
import { SCHEMA } from "../../server/migrations.ts";
import { createDatabase, databaseAt, type TestDatabase } from "../support/database/database.ts";
import { allRows, backUpTo, newBackupFile, restoreFrom } from "../support/database/backups.ts";
import { asAdmin, joinNodes, onEach } from "../support/database/servers.ts";

const noStep = (): void => undefined;

/** Creates a migrated database without Citus, as it is before it is distributed. */
async function undistributed(): Promise<TestDatabase> {
  const database = await createDatabase({ empty: true });
  onTestFinished(() => database.drop());
  await migrate({ databaseUrl: database.url, ...SCHEMA });
  return database;
}

/** Fills a database with shops and what follows from changes of their lists. */
async function fill({ rows }: TestDatabase, shops: number): Promise<void> {
  for (let shop = 1; shop <= shops; shop++) {
    await rows("INSERT INTO shop (domain, plan) VALUES ($1, 'growth')", [`shop-${shop}.myshopify.com`]);
    await rows(
      "INSERT INTO product (shop_id, product_id, handle, title, default_variant_id, updated_at, status) VALUES ($1, 'p', 'p', 'P', 'v', now(), 'ACTIVE')",
      [shop],
    );
    await rows(
      "INSERT INTO variant (shop_id, variant_id, product_id, title, price, available, position) VALUES ($1, 'v', 'p', 'V', 1, true, 1)",
      [shop],
    );
    for (const product of ["p", "q", "r"]) {
      await rows("SELECT wishlist_add($1, 'customer', $2, $3, 'v', 'api', now())", [shop, `c${shop % 3}`, product]);
    }
    await rows("SELECT wishlist_share($1, 'customer', $2, $3, 'sealed', 'api', now())", [
      shop,
      `c${shop % 3}`,
      Buffer.from(`token ${shop}`),
    ]);
    if (shop % 2 === 0) await rows("SELECT outbox_process($1, 100, true)", [shop]);
    await alert({ rows }, shop);
  }
}

/** Makes the alerts of a price drop, sent and pending. */
async function alert({ rows }: Pick<TestDatabase, "rows">, shop: number): Promise<void> {
  await rows("INSERT INTO alert_settings (shop_id, kinds) VALUES ($1, '{price_dropped}')", [shop]);
  await rows(
    "INSERT INTO flow_trigger (shop_id, handle, enabled, changed_at) VALUES ($1, 'price-dropped', true, now())",
    [shop],
  );
  await rows("SELECT alert_consent_record($1, $2, '{price_dropped}', true, now(), 'api')", [shop, `c${shop % 3}`]);
  const product = {
    product_id: "p",
    handle: "p",
    title: "P",
    default_variant_id: "v",
    status: "ACTIVE",
    complete: true,
  };
  const variant = { variant_id: "v", title: "V", price: "0.50", available: true, position: 1 };
  const at = new Date().toISOString();
  const products = [{ ...product, updated_at: at, published_at: at, variants: [variant] }];
  await rows("SELECT catalog_store($1, $2::jsonb, now())", [shop, JSON.stringify(products)]);
  await rows("SELECT alert_detect($1, 100, 0, '{growth}')", [shop]);
  await rows("SELECT alert_fan_out($1, 100)", [shop]);
  if (shop % 2 === 0) await rows("SELECT alert_release($1, 100)", [shop]);
}

/** The foreign keys, without those of shards and without what Citus does not allow. */
async function foreignKeys({ rows }: TestDatabase): Promise<string[]> {
  const keys = await rows<{ key: string }>(
    `SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) AS key FROM pg_constraint
      WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conrelid::regclass::text !~ '_[0-9]{6}$' ORDER BY 1`,
  );
  return keys.map(({ key }) => key.replace(" ON UPDATE CASCADE", ""));
}

test("a distribution that is interrupted after each step loses no row, foreign key or function", async () => {
  const database = await undistributed();
  await fill(database, 12);
  const before = { rows: await allRows(database), keys: await foreignKeys(database) };
  await joinNodes(inject("servers"), database.name);
  let done = 0;
  for (let interrupted = true; interrupted; done++) {
    interrupted = false;
    let steps = 0;
    const attempt = distribute(database.url, {
      shards: 4,
      onStep(step) {
        // It is repeated until all tables are distributed.
        if (step === "set foreign keys aside" || steps++ === 0) return;
        interrupted = true;
        throw new Error("interrupted");
      },
    });
    await attempt.catch((error: unknown) => {
      if (!interrupted) throw error;
    });
  }
  expect(done).toBeGreaterThan(30);
  expect(await allRows(database)).toEqual(before.rows);
  expect(await foreignKeys(database)).toEqual(before.keys);
  const state = await readDistribution(database.url);
  expect(state).toMatchObject({ distributed: true, steps: [] });
  expect(state.nodes.map(({ role, shops }) => ({ role, some: shops > 0 }))).toEqual([
    { role: "coordinator", some: false },
    { role: "worker", some: true },
    { role: "worker", some: true },
  ]);
  // Each function runs on the shop's node as a whole, and continues the ids.
  for (let shop = 1; shop <= 12; shop++) {
    await database.rows("SELECT wishlist_add($1, 'customer', $2, 'new', 'v', 'api', now())", [shop, `c${shop % 3}`]);
    await database.rows("SELECT outbox_process($1, 100, true)", [shop]);
    await database.rows("SELECT alert_release($1, 100)", [shop]);
  }
  const alerts = await database.rows("SELECT status, count(*)::integer AS n FROM alert GROUP BY status");
  expect(alerts).toEqual([{ status: "suppressed", n: 12 }]);
  const late = await database.rows<{ late: boolean }>(
    `SELECT bool_and(n.id > o.last) AS late
       FROM (SELECT shop_id, id FROM activity WHERE product_id = 'new') AS n
       JOIN (SELECT shop_id, max(id) AS last FROM activity WHERE product_id IS DISTINCT FROM 'new' GROUP BY shop_id) AS o ON o.shop_id = n.shop_id`,
  );
  expect(late).toEqual([{ late: true }]);
});

test("a new installation whose first start fails on a node is distributed by the next start", async () => {
  const database = await createDatabase({ empty: true });
  onTestFinished(() => database.drop());
  await joinNodes(inject("servers"), database.name);
  const [, worker = ""] = inject("servers");
  const onWorker = (sql: string): Promise<unknown> =>
    asAdmin(databaseAt(worker, database.name), (client) =>
      client.query(`SET citus.enable_ddl_propagation = off; ${sql}`),
    );
  await onWorker("CREATE TABLE session ()");
  await expect(migrate({ databaseUrl: database.url, ...SCHEMA })).rejects.toThrow("copy session to every node");
  await onWorker("DROP TABLE session");
  await migrate({ databaseUrl: database.url, ...SCHEMA });
  expect(await readDistribution(database.url)).toMatchObject({ distributed: true, steps: [] });
});

test("the service does not start while the distribution of its data is interrupted", async () => {
  const database = await undistributed();
  await fill(database, 1);
  await joinNodes(inject("servers"), database.name);
  const attempt = distribute(database.url, {
    shards: 4,
    onStep(step) {
      if (step === "distribute wishlist") throw new Error("interrupted");
    },
  });
  await expect(attempt).rejects.toThrow("interrupted");
  await expect(migrate({ databaseUrl: database.url, ...SCHEMA })).rejects.toThrow(
    "was interrupted; repeat `wishlist database distribute`",
  );
  await distribute(database.url, { shards: 4, onStep: noStep });
  await migrate({ databaseUrl: database.url, ...SCHEMA });
  expect(await readDistribution(database.url)).toMatchObject({ distributed: true, steps: [] });
});

test("a distributed database needs nothing more, and a repeated command changes nothing", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  expect((await distribute(database.url, { shards: undefined, onStep: noStep })).steps).toEqual([]);
  expect(await migrate({ databaseUrl: database.url, ...SCHEMA })).toEqual({ migrations: [], functions: [] });
});

test("a later release's tables are distributed and its functions delegated by its start", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const folder = await mkdtemp(path.join(tmpdir(), "wishlist-later-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [migrations, functions] = [path.join(folder, "migrations"), path.join(folder, "functions")];
  await cp(SCHEMA.migrations, migrations, { recursive: true });
  await cp(SCHEMA.functions, functions, { recursive: true });
  await mkdir(path.join(migrations, "29991231000000_later"));
  await writeFile(
    path.join(migrations, "29991231000000_later", "migration.sql"),
    `CREATE TABLE later (shop_id bigint NOT NULL REFERENCES shop (id) ON UPDATE CASCADE ON DELETE CASCADE, id bigserial, PRIMARY KEY (shop_id, id));
     ALTER TABLE wishlist ADD COLUMN later text;`,
  );
  await writeFile(
    path.join(functions, "later_add.sql"),
    `CREATE OR REPLACE FUNCTION later_add(p_shop_id bigint) RETURNS void LANGUAGE plpgsql AS $$
     BEGIN INSERT INTO later (shop_id) VALUES (p_shop_id); END $$;`,
  );
  await migrate({ databaseUrl: database.url, migrations, functions });
  expect((await readDistribution(database.url)).steps).toEqual([]);
  await database.rows("INSERT INTO shop (domain) VALUES ('later.myshopify.com')");
  await database.rows("SELECT later_add(id) FROM shop");
  expect(await database.rows("SELECT count(*)::integer AS rows FROM later")).toEqual([{ rows: 1 }]);
  expect(await foreignKeys(database)).toContain("later FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE");
  const tables = await database.rows(
    "SELECT citus_table_type AS type FROM citus_tables WHERE table_name IN ('later'::regclass, 'shop'::regclass) ORDER BY 1",
  );
  expect(tables).toEqual([{ type: "distributed" }, { type: "reference" }]);
});

test("a database without the extension is refused", async () => {
  const database = await undistributed();
  await expect(distribute(database.url, { shards: undefined, onStep: noStep })).rejects.toThrow(
    /does not have the Citus extension. Run CREATE EXTENSION citus/,
  );
  await expect(readDistribution(database.url)).rejects.toThrow(/does not have the Citus extension/);
});

test("a coordinator without workers is refused, and so is a worker", async () => {
  const database = await undistributed();
  const [coordinator = "", worker = ""] = inject("servers");
  await onEach([databaseAt(coordinator, database.name)], "CREATE EXTENSION citus");
  await expect(distribute(database.url, { shards: undefined, onStep: noStep })).rejects.toThrow(
    /does not know its own address. Run SELECT citus_set_coordinator_host/,
  );
  const { hostname, port } = new URL(coordinator);
  await database.rows("SELECT citus_set_coordinator_host($1, $2)", [hostname, Number(port)]);
  await expect(distribute(database.url, { shards: undefined, onStep: noStep })).rejects.toThrow(
    /knows no worker. Run SELECT citus_add_node/,
  );
  await joinNodes(inject("servers"), database.name);
  await expect(distribute(databaseAt(worker, database.name), { shards: undefined, onStep: noStep })).rejects.toThrow(
    /is a worker of the cluster. Let DATABASE_URL name/,
  );
});

test("a distribution is refused while the service runs, and changes nothing", async () => {
  const database = await undistributed();
  await joinNodes(inject("servers"), database.name);
  const service = new pg.Client({ connectionString: database.url, application_name: "wishlist" });
  await service.connect();
  await expect(distribute(database.url, { shards: undefined, onStep: noStep })).rejects.toThrow(
    'The service is connected ("wishlist"). Stop every web and worker process',
  );
  await service.end();
  expect((await readDistribution(database.url)).distributed).toBe(false);
});

test("a node that was added gets its ids aligned while the service runs", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const [, worker = ""] = inject("servers");
  await asAdmin(databaseAt(worker, database.name), (client) =>
    client.query("SET citus.enable_ddl_propagation = off; ALTER SEQUENCE activity_id_seq INCREMENT BY 1"),
  );
  const service = new pg.Client({ connectionString: database.url, application_name: "wishlist" });
  await service.connect();
  const { steps } = await distribute(database.url, { shards: undefined, onStep: noStep });
  await service.end();
  expect(steps).toEqual(["align the ids of the nodes"]);
});

test("a new installation on a coordinator with one worker begins distributed", async () => {
  const database = await createDatabase({ empty: true });
  onTestFinished(() => database.drop());
  await joinNodes(inject("servers").slice(0, 2), database.name);
  await migrate({ databaseUrl: database.url, ...SCHEMA });
  expect(await readDistribution(database.url)).toMatchObject({ distributed: true, steps: [] });
});

test("a process starts while a node is unreachable", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  // Nothing listens on port 1.
  await database.rows("UPDATE pg_dist_node SET nodeport = 1 WHERE groupid = 2");
  expect(await migrate({ databaseUrl: database.url, ...SCHEMA })).toEqual({ migrations: [], functions: [] });
});

test("a node without the extension is named", async () => {
  const database = await undistributed();
  await joinNodes(inject("servers"), database.name);
  const [, worker = ""] = inject("servers");
  const name = new URL(worker).host;
  await asAdmin(databaseAt(worker, database.name), (client) => client.query("DROP EXTENSION citus CASCADE"));
  await expect(distribute(database.url, { shards: undefined, onStep: noStep })).rejects.toThrow(`${name} has none`);
});

test("a backup of a distributed database is restored into one PostgreSQL", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  await fill(database, 6);
  const file = newBackupFile();
  onTestFinished(() => rm(file));
  const service = new pg.Client({ connectionString: database.url, application_name: "wishlist" });
  await service.connect();
  await expect(backUpTo(file, database)).rejects.toThrow("which have no common snapshot, and the service is connected");
  await service.end();
  await backUpTo(file, database);
  await expect(restoreFrom(file, database, { replace: true })).rejects.toThrow("is distributed over several servers");
  const one = await createDatabase({ empty: true });
  onTestFinished(() => one.drop());
  await restoreFrom(file, one);
  expect(await allRows(one)).toEqual(await allRows(database));
  // Ids continue behind those of every node.
  await one.rows("SELECT wishlist_add(id, 'customer', 'c1', 'new', 'v', 'api', now()) FROM shop");
  expect(await one.rows("SELECT 1 FROM activity WHERE product_id = 'new'")).toHaveLength(6);
});
