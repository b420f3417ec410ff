import type { TestProject } from "vitest/node";
import { migrate } from "../../../app/platform/database/migrations.server.ts";
import { SCHEMA } from "../../../server/migrations.ts";
import { TEMPLATE } from "./database.ts";
import { asAdmin, databaseAt, joinNodes, onEach, openServers, type Servers } from "./servers.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** postgres:// URLs of the servers on which tests create databases */
    servers: readonly string[];
  }
}

/** Each project runs this setup. They share the servers, and the last project stops them. */
interface Shared {
  opened: Promise<Servers>;
  users: number;
}

declare global {
  var wishlistTests: Shared | undefined;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (globalThis.wishlistTests ??= { opened: open(), users: 0 });
  shared.users++;
  const servers = await shared.opened;
  project.provide("servers", servers.urls);
  return async () => {
    shared.users--;
    if (shared.users === 0) await servers.close();
  };
}

/** Starts PostgreSQL for all tests, with a migrated template database. */
async function open(): Promise<Servers> {
  const servers = await openServers();
  const { urls } = servers;
  await Promise.all(urls.map(removeDatabases));
  await onEach(urls, `CREATE DATABASE ${TEMPLATE}`);
  const [first = ""] = urls;
  if (urls.length > 1) {
    await joinNodes(urls, TEMPLATE);
    // Few, because each is copied for each test file.
    await asAdmin(first, (client) => client.query(`ALTER DATABASE ${TEMPLATE} SET citus.shard_count = 4`));
  }
  await migrate({ databaseUrl: databaseAt(first, TEMPLATE), ...SCHEMA });
  // A database with connections can't be copied, and Citus keeps one.
  await onEach(urls, `ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`);
  await onEach(urls, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${TEMPLATE}'`);
  return servers;
}

/** Removes the databases of an aborted run. The server of CITUS_URL may have others, whose names can begin with "test", too. */
async function removeDatabases(url: string): Promise<void> {
  await asAdmin(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE datname ~ '^test_([0-9a-f]{12}|template|faults)$'",
    );
    for (const { datname } of rows) await client.query(`DROP DATABASE "${datname}" WITH (FORCE)`);
  });
}
