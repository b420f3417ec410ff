import { chown, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseUrl } from "../../app/platform/database/url.server.ts";
import { connect } from "../../server/database-connection.ts";
import { explain } from "../../server/fail.ts";
import { openDatabase, type OpenDatabase } from "../../server/postgres/database.ts";
import { createCertificate } from "../support/database/certificate.ts";
import { command } from "./fixtures/commands.ts";
import { clusterOf, newDatabase, removeDataDirs } from "./fixtures/data-folders.ts";
import { MATRIX } from "../support/matrix.ts";

let database: OpenDatabase;
let root: string;

beforeAll(async () => {
  const { dataDir } = await newDatabase();
  database = await openDatabase({ dataDir, role: "command", label: "a test" });
  const cluster = await clusterOf(dataDir);
  const { uid, gid } = await stat(cluster);
  const { certificate, key } = createCertificate();
  root = join(dataDir, "root.crt");
  await writeFile(root, certificate);
  for (const [name, content] of [
    ["server.crt", certificate],
    ["server.key", key],
  ] as const) {
    const file = join(cluster, name);
    await writeFile(file, content, { mode: 0o600 });
    await chown(file, uid, gid);
  }
  const { client, close } = await connect(database.adminUrl, "test");
  await client.query("ALTER SYSTEM SET ssl = on");
  await client.query("SELECT pg_reload_conf()");
  await close();
});
afterAll(async () => {
  await database.close();
  await removeDataDirs();
});

function urlWith(parameters: string, host = "127.0.0.1"): string {
  return `${database.url.replace("127.0.0.1", host)}${parameters.replace("ROOT", encodeURIComponent(root))}`;
}

/** Returns whether a connection to the URL of this setting is encrypted, or why there is none. */
async function connectionOf(url: string): Promise<unknown> {
  try {
    const { client, close } = await connect(databaseUrl.parse(url), "test");
    const { rows } = await client.query<{ ssl: boolean }>("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
    await close();
    return rows[0]?.ssl;
  } catch (error) {
    return explain(error);
  }
}

test.each([
  ["", false],
  ["?sslmode=disable", false],
  ["?sslmode=no-verify", true],
  ["?sslmode=prefer&sslrootcert=ROOT", true],
  ["?sslmode=require&sslrootcert=ROOT", true],
  ["?sslmode=verify-ca&sslrootcert=ROOT", true],
  ["?sslmode=verify-full&sslrootcert=ROOT", true],
])("a connection to DATABASE_URL with %j is encrypted: %s", async (parameters, encrypted) => {
  expect(await connectionOf(urlWith(parameters))).toBe(encrypted);
});

test.each(["prefer", "require", "verify-ca", "verify-full"])(
  "sslmode=%s refuses an unknown certificate, and one of another host",
  async (mode) => {
    const refusal = /^The database cannot be reached \(.*certificate.*\)\. Check DATABASE_URL\.$/;
    expect(await connectionOf(urlWith(`?sslmode=${mode}`))).toMatch(refusal);
    expect(await connectionOf(urlWith(`?sslmode=${mode}&sslrootcert=ROOT`, "localhost"))).toMatch(refusal);
  },
);

test(
  "the command line works over a verified connection, and refuses an unverified one in one line",
  MATRIX,
  async () => {
    const list = (url: string) => command({ DATABASE_URL: url }, "shops", "list", "--json");
    expect(await list(urlWith("?sslmode=require&sslrootcert=ROOT"))).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
    const { code, stderr } = await list(urlWith("?sslmode=require"));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^\{"error":.*certificate.*\}\n$/)]);
  },
);
