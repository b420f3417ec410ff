import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { MATRIX } from "../support/matrix.ts";
import { findBinaries } from "../../server/postgres/binaries.ts";
import { DatabaseServerError, DataFolderError, openDatabase } from "../../server/postgres/database.ts";
import { findCluster, systemFolder } from "../../server/postgres/cluster-location.ts";
import { readDatabaseRecord, writeDatabaseRecord } from "../../server/postgres/data-folder.ts";
import { findFreePort, startServer, stopServer, waitForServer } from "../../server/postgres/server.ts";
import {
  clusterOf,
  newDatabase,
  newDataDir,
  recordOf,
  rejection,
  removeDataDirs,
  serverPid,
  value,
} from "./fixtures/data-folders.ts";
import { portOf } from "../support/http/ports.ts";
import { killOwners, startOwner } from "./fixtures/owner-process.ts";

const server = { role: "server", label: "a test" } as const;
const quick = { ...server, settings: { fsync: "off" } };

afterEach(async () => {
  await killOwners();
  await removeDataDirs();
});

describe("the database of a data folder", () => {
  test("is waited for while a busy machine lets connections fail", MATRIX, async () => {
    const { dataDir } = await newDatabase();
    const { close } = await openDatabase({ dataDir, ...quick });
    const { port, password, cluster } = await recordOf(dataDir);
    let connections = 0;
    const busy = createServer((socket) => {
      connections += 1;
      if (connections <= 2) return socket.resetAndDestroy();
      const upstream = connect(port, "127.0.0.1");
      socket.on("error", () => upstream.destroy());
      upstream.on("error", () => socket.destroy());
      return socket.pipe(upstream).pipe(socket);
    }).listen(0, "127.0.0.1");
    await once(busy, "listening");
    expect(await waitForServer({ port: portOf(busy), password }, cluster)).toBe("ready");
    expect(connections).toBe(3);
    busy.close();
    await close();
  });

  test("is created by the first start and reused by the second", async () => {
    const { dataDir } = await newDataDir();
    const first = await openDatabase({ dataDir, ...server });
    expect(first.started).toBe(true);
    await value(first.url, "CREATE TABLE kept AS SELECT 'still here' AS word");
    await first.close();
    expect(await serverPid(dataDir)).toBeUndefined();

    const second = await openDatabase({ dataDir, ...server });
    expect(second).toMatchObject({ started: true, url: first.url });
    expect(await value(second.url, "SELECT word FROM kept")).toBe("still here");
    await second.close();
  });

  test("has durable settings, UTF-8, the builtin collation and a local address", async () => {
    const { dataDir } = await newDatabase();
    const { url, adminUrl, close } = await openDatabase({ dataDir, ...server });
    const show = (name: string) => value(adminUrl, `SELECT current_setting('${name}')`);
    expect(await show("fsync")).toBe("on");
    expect(await show("synchronous_commit")).toBe("on");
    expect(await show("full_page_writes")).toBe("on");
    expect(await show("server_encoding")).toBe("UTF8");
    expect(
      await value(url, "SELECT datlocprovider::text || datlocale FROM pg_database WHERE datname = 'wishlist'"),
    ).toBe("bC.UTF-8");
    expect(await show("listen_addresses")).toBe("127.0.0.1");
    expect(await show("unix_socket_directories")).toBe("");
    expect(await show("password_encryption")).toBe("scram-sha-256");
    expect(await value(adminUrl, "SELECT string_agg(DISTINCT auth_method, ',') FROM pg_hba_file_rules")).toBe(
      "scram-sha-256",
    );
    expect(new URL(url)).toMatchObject({ hostname: "127.0.0.1", username: "wishlist_app", pathname: "/wishlist" });
    await close();
  });

  test("is owned by a role without access to the server's files or other roles", async () => {
    const { dataDir } = await newDatabase();
    const { url, adminUrl, close } = await openDatabase({ dataDir, ...server });
    const roles =
      "SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls FROM pg_roles WHERE rolname = current_user";
    expect([await value(url, roles), await value(adminUrl, roles)]).toEqual([false, true]);
    for (const sql of ["SELECT pg_read_file('PG_VERSION')", "COPY (SELECT 1) TO PROGRAM 'true'", "CREATE ROLE other"]) {
      expect((await rejection(value(url, sql))).message).toMatch(/permission denied/);
    }
    await close();
  });

  test("stores its password readable by the folder's owner only", async () => {
    const { dataDir } = await newDataDir();
    const { url, close } = await openDatabase({ dataDir, ...quick });
    const files = await readdir(dataDir);
    for (const name of files.filter((file) => file !== "owner.lock" && file !== "postgres")) {
      expect.soft([name, (await stat(join(dataDir, name))).mode & 0o077]).toEqual([name, 0]);
    }
    expect((await stat(dataDir)).mode & 0o067).toBe(0);
    const wrong = new URL(url);
    wrong.password = "guess";
    expect((await rejection(value(wrong.href, "SELECT 1"))).message).toMatch("password authentication failed");
    await close();
    expect(files.sort()).toEqual(["owner.json", "owner.lock", "postgres", "postgres.json"]);
  });

  test("applies the given settings", MATRIX, async () => {
    const { dataDir } = await newDatabase();
    const settings = { fsync: "off", application_name: "it's 'quoted'" };
    const { url, close } = await openDatabase({ dataDir, ...server, settings });
    expect(await value(url, "SHOW fsync")).toBe("off");
    expect(await value(url, "SHOW application_name")).toBe(settings.application_name);
    await close();
  });

  test("closes once when close is called repeatedly", MATRIX, async () => {
    const { dataDir } = await newDatabase();
    const { close } = await openDatabase({ dataDir, ...quick });
    await Promise.all([close(), close()]);
    const next = await openDatabase({ dataDir, ...quick });
    await close();
    expect(await serverPid(dataDir)).toBeDefined();
    await next.close();
  });
});

describe("the database's port", () => {
  test("changes when another program uses the recorded one", MATRIX, async () => {
    const { dataDir } = await newDatabase();
    const first = await openDatabase({ dataDir, ...quick });
    await first.close();
    const taken = createServer();
    await once(taken.listen(Number(new URL(first.url).port), "127.0.0.1"), "listening");
    const second = await openDatabase({ dataDir, ...quick });
    expect(new URL(second.url).port).not.toBe(new URL(first.url).port);
    expect(await value(second.url, "SELECT 1")).toBe(1);
    await second.close();
    taken.close();
  });

  test("is chosen again when another program takes it before the start", MATRIX, async () => {
    const { dataDir } = await newDatabase();
    const record = await readDatabaseRecord(dataDir);
    const found = await findCluster(dataDir, record);
    if (!found) throw new Error("The cluster should be there");
    const { location } = found;
    const binaries = await findBinaries(location.user, systemFolder);
    const runnable = { ...location, binaries, password: found.record.password, settings: quick.settings };
    const taken = createServer();
    await once(taken.listen(0, "127.0.0.1"), "listening");
    const address = taken.address();
    if (typeof address !== "object" || !address) throw new Error("It should listen");
    const chosen: number[] = [];
    const port = await startServer(runnable, async () => {
      const choice = chosen.length < 2 ? address.port : await findFreePort();
      chosen.push(choice);
      return choice;
    });
    await stopServer(runnable);
    taken.close();
    expect(chosen).toEqual([address.port, address.port, port]);
  });
});

describe("openDatabase fails with one line", () => {
  test.each([
    ["when the data folder is a file", ""],
    ["when a parent of the data folder is a file", "/data"],
  ])("%s", async (_, below) => {
    const { parent } = await newDataDir();
    const path = join(parent, "occupied");
    await writeFile(path, "");
    const error = await rejection(openDatabase({ dataDir: path + below, ...quick }));
    expect(error).toBeInstanceOf(DataFolderError);
    expect(error.message).toMatch(/^The data folder .*occupied.* cannot be used \(.*\); make it writable/);
    expect(error.message).not.toMatch("\n");
  });

  test("when another major version created the cluster", MATRIX, async () => {
    const { dataDir } = await newDatabase();
    const cluster = await clusterOf(dataDir);
    const version = join(cluster, "PG_VERSION");
    const actual = await readFile(version, "utf8");
    await writeFile(version, "15\n");
    const error = await rejection(openDatabase({ dataDir, ...quick }));
    expect(error).toBeInstanceOf(DataFolderError);
    expect(error.message).toMatch(/created by PostgreSQL 15 and cannot be run by PostgreSQL \d+\. Move its content:/);
    const file = join(cluster, "../wishlist.zip");
    expect(error.message).toContain(`database backup ${file} --postgres /tmp/postgres-15`);
    expect(error.message).toContain(`database restore ${file}`);
    await writeFile(version, actual);
    await (await openDatabase({ dataDir, ...quick })).close();
  });

  test("when postgres.json is missing", MATRIX, async () => {
    const { dataDir } = await newDatabase();
    const cluster = await clusterOf(dataDir);
    await rm(join(dataDir, "postgres.json"));
    const error = await rejection(openDatabase({ dataDir, ...quick }));
    expect(error.message).toBe(
      `${dataDir}/postgres.json, which holds the password of the database in ${cluster}, is missing; restore it, or delete ${cluster} to start with an empty database`,
    );
  });

  test("at once when postgres.json has another password", async () => {
    const { dataDir } = await newDatabase();
    const record = await recordOf(dataDir);
    await writeDatabaseRecord(dataDir, { ...record, password: "guess" });
    const error = await rejection(openDatabase({ dataDir, ...quick }));
    expect(error.message).toBe(
      `PostgreSQL in ${record.cluster} does not accept the password in postgres.json; restore that file from a backup`,
    );
    expect(await serverPid(dataDir)).toBeUndefined();
    await writeDatabaseRecord(dataDir, record);
    await (await openDatabase({ dataDir, ...quick })).close();
  });

  test("at once when postgres.json has another password than the server that still runs", MATRIX, async () => {
    const { dataDir } = await newDatabase();
    const owner = startOwner({ dataDir });
    await owner.next("open");
    await owner.kill("SIGKILL");
    const record = await recordOf(dataDir);
    await writeDatabaseRecord(dataDir, { ...record, password: "guess" });
    const error = await rejection(openDatabase({ dataDir, ...quick }));
    // A server that does not respond is waited for, and reported with another message.
    expect(error.message).toBe(
      `PostgreSQL in ${record.cluster} does not accept the password in postgres.json; restore that file from a backup`,
    );
    await writeDatabaseRecord(dataDir, record);
    await (await openDatabase({ dataDir, ...quick })).close();
  });

  test("when the cluster's folder has other content", MATRIX, async () => {
    const { dataDir } = await newDataDir();
    await mkdir(join(dataDir, "postgres/unrelated"), { recursive: true });
    const error = await rejection(openDatabase({ dataDir, ...quick }));
    expect(error.message).toMatch(/postgres exists but is not a database; move it away/);
    expect(await readdir(dataDir)).not.toContainEqual(expect.stringContaining("init"));
  });

  test("when the path has characters that PostgreSQL's scripts cannot quote", async () => {
    const { parent } = await newDataDir();
    const error = await rejection(openDatabase({ dataDir: join(parent, "$HOME"), ...quick }));
    expect(error.message).toMatch(/^PostgreSQL cannot run in .*\$HOME.*; choose a path without/);
  });

  test("when the cluster does not fit on the disk", MATRIX, async () => {
    const { dataDir } = await newDataDir();
    const owner = startOwner({ dataDir, fileSizeLimit: 4096 });
    const error = await rejection(owner.next("open"));
    expect(error.message).toMatch(/^DatabaseServerError: PostgreSQL could not create the database .*: .+$/);
    expect(error.message).not.toMatch("\n");
    await (await openDatabase({ dataDir, ...quick })).close();
    expect((await readdir(dataDir)).sort()).toEqual(["owner.lock", "postgres", "postgres.json"]);
  });

  test("when PostgreSQL rejects a setting", MATRIX, async () => {
    const { dataDir } = await newDatabase();
    const refused = { ...server, settings: { shared_buffers: "plenty" } };
    const error = await rejection(openDatabase({ dataDir, ...refused }));
    expect(error.message).toMatch(/^PostgreSQL did not start in .*: .*"shared_buffers".*$/);
    expect(error instanceof DatabaseServerError && error.log).toMatch(/contains errors/);
    await (await openDatabase({ dataDir, ...quick })).close();
  });
});
