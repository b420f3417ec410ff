import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { closeDatabase } from "../../../app/platform/database/database.server.ts";
import { onEnd, say } from "../../../bench/lifetime.ts";
import { Proxy } from "../../support/database/proxy.ts";
import { startRedis, type TestRedis } from "../../support/programs/redis.ts";
import { DatabasePair } from "./database-pair.ts";
import { startReceivers, type Receivers } from "./receivers.ts";
import { describeServices, type Services } from "./services.ts";
import { createShops, type Shop } from "./shops.ts";

const SHOPS = ["shop-1", "shop-2", "shop-3", "hot-shop"];

/** Everything that scenarios can disturb. */
export interface Rig extends Services {
  proxy: Proxy;
  redis: TestRedis;
  receivers: Receivers;
  shops: Shop[];
  /** undefined with --database-url, because that server can't be controlled */
  database: DatabasePair | undefined;
  /** the database's URL without the proxy in between */
  directUrl: () => string;
  /** Runs SQL on the database, without the proxy in between. */
  rows: (sql: string, values?: unknown[]) => Promise<pg.QueryResultRow[]>;
}

async function runSql(url: string, sql: string, values: unknown[] = []): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 10_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<pg.QueryResultRow>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Starts everything. @param databaseUrl an existing database instead of a primary with a standby */
export async function startRig(databaseUrl: string | undefined): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), "wishlist-faults-"));
  await chmod(folder, 0o755);
  onEnd(() => rm(folder, { recursive: true, force: true }));
  say(`Logs are in ${folder} until the end.`);

  const database = databaseUrl === undefined ? await DatabasePair.start(folder) : undefined;
  const directUrl = (): string => databaseUrl ?? database?.primary.url ?? "";
  const direct = new URL(directUrl());
  const proxy = await Proxy.start({ host: direct.hostname, port: Number(direct.port || 5432) });
  onEnd(() => proxy.close());
  const proxied = new URL(database?.appUrl ?? directUrl());
  proxied.host = `127.0.0.1:${proxy.port}`;

  const redis = await startRedis();
  onEnd(async () => {
    redis.resume();
    await redis.stop();
  });
  const receivers = await startReceivers();
  onEnd(() => receivers.close());
  const services = await describeServices({ databaseUrl: proxied.href, redisUrl: redis.url, folder });
  for (const { process } of [...services.webs, services.worker]) onEnd(() => process.stop("SIGTERM", 10_000));
  for (const service of [...services.webs, services.worker]) {
    service.process.start();
    await service.ready();
  }
  const [web] = services.webs;
  if (!web) throw new Error("there is no web process");
  const shops = await createShops(SHOPS, { webUrl: web.url, databaseUrl: directUrl(), receivers });
  await closeDatabase();
  await database?.replicate();
  return {
    ...services,
    proxy,
    redis,
    receivers,
    shops,
    database,
    directUrl,
    rows: (sql, values) => runSql(directUrl(), sql, values),
  };
}
