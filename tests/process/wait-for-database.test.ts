import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { explain } from "../../server/fail.ts";
import { waitForDatabase } from "../../server/wait-for-database.ts";
import { launch, type Launched } from "../support/app/launch.ts";
import { serviceEnv } from "../support/app/service.ts";
import { createDatabase, databaseAt, type TestDatabase } from "../support/database/database.ts";
import { Proxy } from "../support/database/proxy.ts";
import { until } from "../support/until.ts";
import { execute } from "./fixtures/data-folders.ts";
import { MATRIX } from "../support/matrix.ts";

let database: TestDatabase;
/** refuses connections until it is opened, as an address does behind which nothing runs yet */
let proxy: Proxy;
let url: string;

beforeEach(async () => {
  database = await createDatabase();
  const through = new URL(database.url);
  proxy = await Proxy.start({ host: through.hostname, port: Number(through.port) });
  proxy.refuse();
  through.port = String(proxy.port);
  url = through.href;
});
afterEach(async () => {
  await proxy.close();
  await database.drop();
});

/** Starts the service, which ends with the test at the latest. */
function start(): Launched {
  const launched = launch(serviceEnv(url));
  onTestFinished(async () => {
    launched.child.kill("SIGKILL");
    await launched.ended;
  });
  return launched;
}

function hasWritten({ stdout }: Launched, text: string): Promise<true> {
  return until(text, () => stdout().includes(text));
}

/** Waits in this process. @returns the reports, and the error if the wait ended with one */
async function wait(databaseUrl: string, seconds: number, onReport = (): unknown => undefined) {
  const reports: string[] = [];
  const error = await waitForDatabase(databaseUrl, seconds, (report) => {
    reports.push(report);
    void onReport();
  }).catch((thrown: unknown) => thrown);
  return { reports, error };
}

test("a start waits for a database that comes up later", MATRIX, async () => {
  const launched = start();
  await hasWritten(launched, '"msg":"Waiting for the database (');
  proxy.open();
  await hasWritten(launched, '"msg":"listening"');
  launched.child.kill("SIGTERM");
  expect(await launched.ended).toBe(0);
  expect(launched.stderr()).toBe("");
});

test("a signal ends a start that waits", MATRIX, async () => {
  const launched = start();
  await hasWritten(launched, '"msg":"Waiting for the database (');
  launched.child.kill("SIGTERM");
  expect(await launched.ended).toBe(143);
});

test("npm run db:migrate waits as well", MATRIX, async () => {
  const script = fileURLToPath(new URL("../../server/migrate.ts", import.meta.url));
  const migrating = execute(process.execPath, [script], { env: serviceEnv(url) });
  onTestFinished(() => void migrating.child.kill("SIGKILL"));
  let errors = "";
  migrating.child.stderr?.on("data", (text: string) => (errors += text));
  await until("a line on standard error", () => errors.startsWith("Waiting for the database ("));
  proxy.open();
  expect((await migrating).stdout).toBe("The database is up to date.\n");
});

test("a standby is waited for until it is promoted", MATRIX, async () => {
  // A function of this name before PostgreSQL's own.
  await database.rows("CREATE SCHEMA pretend");
  await database.rows("CREATE FUNCTION pretend.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true'");
  await database.rows(`ALTER DATABASE ${database.name} SET search_path = pretend, pg_catalog, public`);
  const promote = () => database.rows(`ALTER DATABASE ${database.name} RESET search_path`);
  expect(await wait(database.url, 60, promote)).toEqual({
    reports: [expect.stringMatching(/^Waiting for the database \(it is a read-only standby\), for up to 60 s more$/)],
    error: undefined,
  });
});

test("the wait ends after its seconds, with the reason", async () => {
  const { reports, error } = await wait(url, 1);
  expect(reports).toHaveLength(1);
  expect(explain(error)).toMatch(/^The database cannot be reached \(.+\)\. Check DATABASE_URL\.$/);
});

test("a database that does not exist is not waited for", async () => {
  const { reports, error } = await wait(databaseAt(database.url, "no_such_database"), 60);
  expect(reports).toEqual([]);
  expect(explain(error)).toContain('"no_such_database" does not exist');
});
