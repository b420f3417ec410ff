import { existsSync } from "node:fs";
import { chmod, cp, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runToEnd } from "../../bench/lifetime.ts";
import { POSTGRES_15 } from "../faults/rig/postgres-node.ts";

/** The built extension for Debian's PostgreSQL 15: `lib` and `share` as a root folder would have them. */
const ARCHIVE = fileURLToPath(
  new URL("../../../shared/citus/citus-13.2.2-postgresql-15-debian-12-amd64.tar.xz", import.meta.url),
);

/** Outside the project, because PostgreSQL's system user may not read the project's folder. */
const HOME = "/var/tmp/wishlist-citus-13.2.2";

/** Neither a cluster nor the means to start one. The message says what to do. */
export class NoCitusError extends Error {
  override readonly name = "NoCitusError";
}

async function isBuilt(): Promise<boolean> {
  const { code } = await runToEnd("cmp", ["-s", path.join(POSTGRES_15, "postgres"), inHome("bin/postgres")]);
  return code === 0 && existsSync(inHome("lib/citus.so"));
}

function inHome(file: string): string {
  return path.join(HOME, "usr/lib/postgresql/15", file);
}

/**
 * Makes a copy of Debian's PostgreSQL 15 with the Citus extension.
 * @returns the folder of its programs
 * @throws NoCitusError when a part is missing
 */
export async function citusInstallation(): Promise<string> {
  const advice = "Or set CITUS_URL to the coordinator of a Citus cluster for tests, as a superuser.";
  if (!existsSync(ARCHIVE))
    throw new NoCitusError(`There is no Citus extension in ${path.dirname(ARCHIVE)}. ${advice}`);
  if (!existsSync(path.join(POSTGRES_15, "postgres"))) {
    throw new NoCitusError(
      `${POSTGRES_15} has no PostgreSQL 15: apt-get install postgresql-15, or set WISHLIST_TEST_POSTGRES_15 to the folder of its programs. ${advice}`,
    );
  }
  if (!(await isBuilt())) await build();
  return inHome("bin");
}

async function build(): Promise<void> {
  const draft = await mkdtemp(`${HOME}.`);
  try {
    await fill(draft);
    await rm(HOME, { recursive: true, force: true });
    await rename(draft, HOME);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function fill(draft: string): Promise<void> {
  await chmod(draft, 0o755);
  const library = path.join(draft, "usr/lib/postgresql/15");
  const shared = path.join(draft, "usr/share/postgresql/15");
  // PostgreSQL finds its files by their places relative to its programs.
  await cp(path.dirname(POSTGRES_15), library, { recursive: true });
  await cp(path.resolve(POSTGRES_15, "../../../../share/postgresql/15"), shared, { recursive: true });
  const { code, stderr } = await runToEnd("tar", ["-xJf", ARCHIVE, "-C", draft, "--no-same-owner"]);
  if (code !== 0) throw new NoCitusError(`The Citus extension can't be unpacked: ${stderr}`);
}
