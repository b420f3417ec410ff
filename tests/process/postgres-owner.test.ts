// @module-tag matrix

import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, test } from "vitest";
import { DataFolderInUseError, openDatabase } from "../../server/postgres/database.ts";
import { errorLine } from "../../server/postgres/errors.ts";
import { takeOwnerLock } from "../../server/postgres/owner-lock.ts";
import { acquireFolder } from "../../server/postgres/acquire-folder.ts";
import {
  processEnd,
  newDatabase,
  newDataDir,
  rejection,
  removeDataDirs,
  serverPid,
  sessionOf,
  value,
} from "./fixtures/data-folders.ts";
import { killOwners, startOwner } from "./fixtures/owner-process.ts";

const server = { role: "server", label: "second server", settings: { fsync: "off" } } as const;
const command = { role: "command", label: "wishlist keys list", settings: { fsync: "off" } } as const;

afterEach(async () => {
  await killOwners();
  await removeDataDirs();
});

describe("openDatabase of a second server", () => {
  test("fails with one line that names the folder, its owner and the remedy", async () => {
    const { dataDir } = await newDatabase();
    const owner = startOwner({ dataDir, label: "demo" });
    const { url } = await owner.next("open");
    const error = await rejection(openDatabase({ dataDir, ...server }));
    expect(error).toBeInstanceOf(DataFolderInUseError);
    expect(error.message).toBe(
      `The data folder ${dataDir} is in use by "demo" (pid ${owner.pid}); stop that process, or set DATA_DIR to another folder`,
    );
    expect(await value(url, "SELECT 1")).toBe(1);
    await owner.close();
    const next = await openDatabase({ dataDir, ...server });
    await next.close();
  });

  test("fails in the same process under every path of the folder", async () => {
    const { parent, dataDir } = await newDatabase();
    const first = await openDatabase({ dataDir, ...server });
    for (const path of [dataDir, `${parent}/./data/../data/`]) {
      expect(await rejection(openDatabase({ dataDir: path, ...server }))).toBeInstanceOf(DataFolderInUseError);
    }
    expect(await value(first.url, "SELECT 1")).toBe(1);
    await first.close();
  });
});

describe("the owner's lock", () => {
  test("is held until the process ends, even after garbage collection", async () => {
    const { parent } = await newDataDir();
    expect(await takeOwnerLock(parent, { role: "server", label: "demo" })).toBeDefined();
    setFlagsFromString("--expose-gc");
    await setImmediate();
    runInNewContext("gc()");
    await setImmediate();
    expect(await takeOwnerLock(parent, { role: "server", label: "demo" })).toBeUndefined();
    const other = startOwner({ dataDir: parent });
    expect((await rejection(other.next("open"))).message).toMatch(/^DataFolderInUseError/);
  });
});

describe("openDatabase of a server beside a command", () => {
  test("reports that it waits, and starts when the command finishes", async () => {
    const { dataDir } = await newDatabase();
    const busy = startOwner({ dataDir, role: "command", label: "wishlist shops list" });
    await busy.next("open");
    const messages: string[] = [];
    const closing: Promise<void>[] = [];
    const { started, close } = await openDatabase({
      dataDir,
      ...server,
      onProgress: (message) => {
        messages.push(message);
        if (message.startsWith("Waiting")) closing.push(busy.close());
      },
    });
    expect(messages[0]).toBe(`Waiting for "wishlist shops list" (pid ${busy.pid})`);
    await Promise.all(closing);
    expect(started).toBe(true);
    await close();
  });

  test("fails when the command does not finish in time", async () => {
    const { parent } = await newDataDir();
    const lock = await takeOwnerLock(parent, { role: "command", label: "wishlist shops list" });
    const turn = acquireFolder({
      folder: parent,
      role: "server",
      label: "demo",
      onProgress: () => {},
      join: () => Promise.resolve("joined"),
      timeout: 60,
    });
    const error = await rejection(turn);
    expect(error).toBeInstanceOf(DataFolderInUseError);
    expect(error.message).toBe(
      `The data folder ${parent} is still in use after 0.06 s by "wishlist shops list" (pid ${process.pid}); stop that process, or set DATA_DIR to another folder`,
    );
    await lock?.release();
  });
});

describe("openDatabase of a command", () => {
  test("joins a running server and leaves it running", async () => {
    const { dataDir } = await newDatabase();
    const owner = startOwner({ dataDir });
    const { url } = await owner.next("open");
    const pid = await serverPid(dataDir);
    const joined = await openDatabase({ dataDir, ...command });
    expect(joined).toMatchObject({ url, started: false });
    expect(await value(joined.url, "SELECT 1")).toBe(1);
    await joined.close();
    expect(await serverPid(dataDir)).toBe(pid);
    expect(await value(url, "SELECT 1")).toBe(1);
    await owner.close();
  });

  test("waits for a server that is still starting", async () => {
    const { dataDir } = await newDataDir();
    const owner = startOwner({ dataDir });
    expect((await owner.next("progress")).message).toBe("Creating the database");
    const joined = await openDatabase({ dataDir, ...command });
    const { url } = await owner.next("open");
    expect(joined).toMatchObject({ url, started: false });
    await joined.close();
    await owner.close();
  });

  test("fails when the server's database does not respond in time", async () => {
    const { parent } = await newDataDir();
    const lock = await takeOwnerLock(parent, { role: "server", label: "demo" });
    const turn = acquireFolder({
      folder: parent,
      role: "command",
      label: "wishlist keys list",
      onProgress: () => {},
      join: () => Promise.resolve(undefined),
      timeout: 60,
    });
    expect((await rejection(turn)).message).toBe(
      `The database in ${parent}, run by "demo" (pid ${process.pid}), does not respond`,
    );
    await lock?.release();
  });

  test("starts and stops the database when no server runs", async () => {
    const { dataDir } = await newDatabase();
    const { url, started, close } = await openDatabase({ dataDir, ...command });
    expect(started).toBe(true);
    expect(await value(url, "SELECT 1")).toBe(1);
    await close();
    expect(await serverPid(dataDir)).toBeUndefined();
  });

  test("leaves a database running that a killed server left behind", async () => {
    const { dataDir } = await newDatabase();
    const owner = startOwner({ dataDir });
    const { url } = await owner.next("open");
    const pid = await serverPid(dataDir);
    await owner.kill("SIGKILL");
    const alone = await openDatabase({ dataDir, ...command });
    expect(alone).toMatchObject({ url, started: false });
    await alone.close();
    expect(await serverPid(dataDir)).toBe(pid);
    expect(await value(url, "SELECT 1")).toBe(1);
  });

  test("waits for another command instead of joining its database", async () => {
    const { dataDir } = await newDatabase();
    const other = startOwner({ dataDir, role: "command", label: "wishlist shops list" });
    await other.next("open");
    const closing: Promise<void>[] = [];
    const onProgress = (message: string) => {
      if (message === `Waiting for "wishlist shops list" (pid ${other.pid})`) closing.push(other.close());
    };
    const { url, started, close } = await openDatabase({ dataDir, ...command, onProgress });
    await Promise.all(closing);
    expect(closing).toHaveLength(1);
    expect(started).toBe(true);
    expect(await value(url, "SELECT 1")).toBe(1);
    await close();
  });

  test("runs concurrent commands one after the other", async () => {
    const { dataDir } = await newDatabase();
    const counts = await Promise.all(
      [1, 2, 3].map(async () => {
        const other = startOwner({ dataDir, role: "command", then: "count" });
        const { value: count } = await other.next("result");
        await other.next("closed");
        return count;
      }),
    );
    expect(counts.sort()).toEqual([1, 2, 3]);
    expect(await serverPid(dataDir)).toBeUndefined();
  });
});

describe("Ctrl-C in the owner's terminal", () => {
  test("leaves the database to the owner, which stops it last and cleans up", async () => {
    const { dataDir } = await newDatabase();
    const owner = startOwner({ dataDir });
    const { url } = await owner.next("open");
    const pid = await serverPid(dataDir);
    if (pid === undefined) throw new Error("The server should run");
    expect(await sessionOf(pid)).not.toBe(await sessionOf(owner.pid));

    process.kill(-owner.pid, "SIGINT");
    expect((await owner.next("result")).value).toBe("alive");
    await owner.next("closed");
    await processEnd(pid);
    expect((await rejection(value(url, "SELECT 1"))).message).toMatch("ECONNREFUSED");
    expect((await rejection(access(join(dataDir, "owner.json")))).message).toMatch("ENOENT");
  });

  test("during a start lets the next start succeed", async () => {
    const { dataDir } = await newDataDir();
    const owner = startOwner({ dataDir });
    await owner.next("progress");
    const isMaking = async () => {
      const draft = (await readdir(dataDir)).find((name) => name.startsWith("postgres.init-"));
      return draft !== undefined && (await readdir(join(dataDir, draft))).includes("cluster");
    };
    while (!(await isMaking())) expect(await readdir(dataDir)).not.toContain("postgres");
    process.kill(-owner.pid, "SIGINT");
    // initdb ignores the signal while it tests settings; the owner then handles it after the start.
    const failure = await owner.next("closed").then(() => undefined, errorLine);
    if (failure !== undefined)
      expect(failure).toMatch(/^DatabaseServerError: Creating the database .* was interrupted/);
    expect(await serverPid(dataDir)).toBeUndefined();
    expect(await readdir(dataDir)).not.toContainEqual(expect.stringMatching(/init|owner.json/));
    const { url, started, close } = await openDatabase({ dataDir, ...server });
    expect(started).toBe(true);
    expect(await value(url, "SELECT 1")).toBe(1);
    await close();
  });
});
