import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { launch, type Launched } from "../support/app/launch.ts";
import { serviceEnv } from "../support/app/service.ts";
import { createDatabase, databaseAt, type TestDatabase } from "../support/database/database.ts";
import { until } from "../support/until.ts";
import { execute } from "./fixtures/data-folders.ts";

let database: TestDatabase;
let proxy: Server;
/** whether the proxy forwards connections; otherwise it closes them, as an address does behind which nothing runs yet */
let up: boolean;
let url: string;

beforeEach(async () => {
  database = await createDatabase();
  up = false;
  const { hostname, port } = new URL(database.url);
  proxy = createServer((socket) => {
    socket.on("error", () => undefined);
    if (!up) {
      socket.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname).on("error", () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
    socket.on("close", () => upstream.destroy());
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  const through = new URL(database.url);
  through.port = String(typeof address === "object" ? address?.port : address);
  url = through.href;
});
afterEach(async () => {
  proxy.close();
  await database.drop();
});

function hasWritten({ stdout }: Launched, text: string): Promise<true> {
  return until(text, () => stdout().includes(text));
}

async function expectCleanStop(launched: Launched): Promise<void> {
  launched.child.kill("SIGTERM");
  expect(await launched.ended).toBe(0);
  expect(launched.stderr()).toBe("");
}

test("a start waits for a database that comes up later", async () => {
  const launched = launch(serviceEnv(url));
  await hasWritten(launched, '"msg":"Waiting for the database (');
  up = true;
  await hasWritten(launched, '"msg":"listening"');
  await expectCleanStop(launched);
});

test("a start waits for a standby to be promoted", async () => {
  // A function of this name before PostgreSQL's own.
  await database.rows("CREATE SCHEMA pretend");
  await database.rows("CREATE FUNCTION pretend.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true'");
  await database.rows(`ALTER DATABASE ${database.name} SET search_path = pretend, pg_catalog, public`);
  const launched = launch(serviceEnv(database.url));
  await hasWritten(launched, '"msg":"Waiting for the database (it is a read-only standby)');
  await database.rows(`ALTER DATABASE ${database.name} RESET search_path`);
  await hasWritten(launched, '"msg":"listening"');
  await expectCleanStop(launched);
});

test("a start gives up after DATABASE_WAIT_SECONDS and says why", async () => {
  const launched = launch({ ...serviceEnv(url), DATABASE_WAIT_SECONDS: "1" });
  expect(await launched.ended).toBe(1);
  expect(launched.stderr()).toMatch(/^The database cannot be reached \(.+\)\. Check DATABASE_URL\.\n$/);
});

test("a signal ends a start that waits", async () => {
  const launched = launch(serviceEnv(url));
  await hasWritten(launched, '"msg":"Waiting for the database (');
  launched.child.kill("SIGTERM");
  expect(await launched.ended).toBe(143);
});

test("a start does not wait for a database that does not exist", async () => {
  const launched = launch(serviceEnv(databaseAt(database.url, "no_such_database")));
  expect(await launched.ended).toBe(1);
  expect(launched.stdout()).toBe("");
});

test("npm run db:migrate waits as well", async () => {
  const script = fileURLToPath(new URL("../../server/migrate.ts", import.meta.url));
  const migrating = execute(process.execPath, [script], { env: serviceEnv(url) });
  let errors = "";
  migrating.child.stderr?.on("data", (text: string) => (errors += text));
  await until("a line on standard error", () => errors.startsWith("Waiting for the database ("));
  up = true;
  expect((await migrating).stdout).toBe("The database is up to date.\n");
});
