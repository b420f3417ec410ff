// @module-tag matrix

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { findBinaries } from "../../server/postgres/binaries.ts";
import { checkServer } from "../../server/postgres/connection.ts";
import { openDatabase } from "../../server/postgres/database.ts";
import { systemFolder } from "../../server/postgres/cluster-location.ts";
import {
  alsoDataDir,
  clusterOf,
  crashServer,
  isRoot,
  newDatabase,
  recordOf,
  newDataDir,
  removeDataDirs,
  serverPid,
  value,
} from "./fixtures/data-folders.ts";
import { killOwners, startOwner } from "./fixtures/owner-process.ts";

const server = { role: "server", label: "a test", settings: { fsync: "off" } } as const;

afterEach(async () => {
  await killOwners();
  await removeDataDirs();
});

/** Starts a process that is not PostgreSQL, as the user of the cluster's server. */
async function startStranger(
  cluster: string,
): Promise<{ pid: number; lives: () => boolean; end: () => Promise<void> }> {
  const { uid, gid } = await stat(cluster);
  const stranger = spawn("sleep", ["600"], { cwd: "/", ...(isRoot && { uid, gid }) });
  await once(stranger, "spawn");
  return {
    pid: stranger.pid ?? 0,
    lives: () => stranger.exitCode === null && stranger.signalCode === null,
    end: async () => {
      const ended = once(stranger, "exit");
      stranger.kill("SIGKILL");
      await ended;
    },
  };
}

describe("a start after kill -9 of the owner", () => {
  test("adopts the running server and stops it at the end", async () => {
    const { dataDir } = await newDatabase();
    const owner = startOwner({ dataDir });
    const { url } = await owner.next("open");
    await value(url, "CREATE TABLE kept AS SELECT 'still here' AS word");
    const pid = await serverPid(dataDir);
    await owner.kill("SIGKILL");
    expect(await serverPid(dataDir)).toBe(pid);

    const next = await openDatabase({ dataDir, ...server });
    expect(next).toMatchObject({ started: false, url });
    expect(await serverPid(dataDir)).toBe(pid);
    expect(await value(next.url, "SELECT word FROM kept")).toBe("still here");
    await next.close();
    expect(await serverPid(dataDir)).toBeUndefined();
  });

  test("recovers committed data when the server was killed as well", async () => {
    const { dataDir } = await newDatabase();
    const owner = startOwner({ dataDir });
    const { url } = await owner.next("open");
    await value(url, "CREATE TABLE kept AS SELECT 'still here' AS word");
    await owner.kill("SIGKILL");
    await crashServer(dataDir);

    const next = await openDatabase({ dataDir, ...server });
    expect(next.started).toBe(true);
    expect(await value(next.url, "SELECT word FROM kept")).toBe("still here");
    await next.close();
  });

  test("creates the database anew when the owner was creating it", async () => {
    const { dataDir } = await newDataDir();
    const owner = startOwner({ dataDir });
    await owner.next("progress");
    const seen = async () => (await readdir(dataDir)).some((name) => name.startsWith("postgres.init-"));
    while (!(await seen())) expect(await readdir(dataDir)).not.toContain("postgres");
    await owner.kill("SIGKILL");

    const next = await openDatabase({ dataDir, ...server });
    expect(next.started).toBe(true);
    expect(await value(next.url, "SELECT 1")).toBe(1);
    await next.close();
    expect((await readdir(dataDir)).sort()).toEqual(["owner.lock", "postgres", "postgres.json"]);
  });

  test("succeeds when the owner was starting the server", async () => {
    const { dataDir } = await newDatabase();
    const owner = startOwner({ dataDir });
    expect((await owner.next("progress")).message).toBe("Starting the database");
    await owner.kill("SIGKILL");

    const next = await openDatabase({ dataDir, ...server });
    expect(await value(next.url, "SELECT 1")).toBe(1);
    await next.close();
    expect(await serverPid(dataDir)).toBeUndefined();
  });

  test("adopts the owner's server when that starts first", async () => {
    const { dataDir } = await newDatabase();
    const cluster = await clusterOf(dataDir);
    const { uid, gid } = await stat(cluster);
    const { pgCtl } = await findBinaries(isRoot ? { name: "cluster's", uid, gid } : undefined, systemFolder);
    const onProgress = (message: string) => {
      if (message !== "Starting the database") return;
      const args = ["start", "-D", cluster, "-w", "-s", "-l", join(cluster, "server.log")];
      spawnSync(pgCtl, args, { cwd: "/", ...(isRoot && { uid, gid }) });
    };
    const { url, started, close } = await openDatabase({ dataDir, ...server, onProgress });
    expect(started).toBe(false);
    expect(await value(url, "SELECT 1")).toBe(1);
    expect((await recordOf(dataDir)).port).toBe(Number(new URL(url).port));
    await close();
    expect(await serverPid(dataDir)).toBeUndefined();
  });
});

describe("a pid file of an unrelated process", () => {
  test("does not prevent a start or end that process", async () => {
    const { dataDir } = await newDatabase();
    const owner = startOwner({ dataDir });
    await owner.next("open");
    const cluster = await clusterOf(dataDir);
    const pidFile = join(cluster, "postmaster.pid");
    const lines = (await readFile(pidFile, "utf8")).split("\n");
    await owner.kill("SIGKILL");
    await crashServer(dataDir);
    const stranger = await startStranger(cluster);
    await writeFile(pidFile, [stranger.pid, ...lines.slice(1)].join("\n"));

    const next = await openDatabase({ dataDir, ...server });
    expect(next.started).toBe(true);
    await next.close();
    expect(stranger.lives()).toBe(true);
    await stranger.end();
  });

  test("does not make close stop that process", async () => {
    const { dataDir } = await newDatabase();
    const { close } = await openDatabase({ dataDir, ...server });
    const cluster = await clusterOf(dataDir);
    const pidFile = join(cluster, "postmaster.pid");
    const lines = (await readFile(pidFile, "utf8")).split("\n");
    await crashServer(dataDir);
    const stranger = await startStranger(cluster);
    await writeFile(pidFile, [stranger.pid, ...lines.slice(1)].join("\n"));
    await close();
    expect(stranger.lives()).toBe(true);
    await stranger.end();
  });

  test("does not prevent a start when it is empty", async () => {
    const { dataDir } = await newDatabase();
    await writeFile(join(await clusterOf(dataDir), "postmaster.pid"), "");
    const { started, close } = await openDatabase({ dataDir, ...server });
    expect(started).toBe(true);
    await close();
  });
});

describe("a copied data folder", () => {
  test("runs a separate database while the original runs", async () => {
    const { parent, dataDir } = await newDatabase();
    const original = await openDatabase({ dataDir, ...server });
    await value(original.url, "CREATE TABLE kept AS SELECT 'still here' AS word");
    await value(original.adminUrl, "CHECKPOINT");
    const pid = await serverPid(dataDir);
    const copyDir = alsoDataDir(join(parent, "copy"));
    // The same as `cp -r` by root: root owns the copies.
    await cp(dataDir, copyDir, { recursive: true, filter: (path) => !path.endsWith("owner.json") });

    const copy = await openDatabase({ dataDir: copyDir, ...server });
    expect(copy.started).toBe(true);
    await value(copy.url, "UPDATE kept SET word = 'changed'");
    await copy.close();
    const { port, password, cluster } = await recordOf(dataDir);
    expect(await checkServer({ port, password }, cluster)).toBe("ready");
    expect(await checkServer({ port, password }, await clusterOf(copyDir))).toBe("other cluster");
    expect(await checkServer({ port, password: "guess" }, cluster)).toBe("refused");
    expect(await serverPid(dataDir)).toBe(pid);
    expect(await value(original.url, "SELECT word FROM kept")).toBe("still here");
    await original.close();
    await rm(copyDir, { recursive: true });
  });
});
