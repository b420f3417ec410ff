import { chmod, chown, mkdir, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseServerError } from "./errors.ts";
import { run, type SystemUser } from "./program.ts";

/** Checks whether this process is root. PostgreSQL refuses to run as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

async function findUser(name: string): Promise<SystemUser | undefined> {
  // `id` also knows users that are not in /etc/passwd, such as those of LDAP.
  const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
  if (uid.code !== 0 || gid.code !== 0) return undefined;
  return { name, uid: Number(uid.output), gid: Number(gid.output) };
}

/**
 * Returns the user that runs PostgreSQL when this process is root: `postgres`, which is created if absent, else `nobody`.
 * @throws DatabaseServerError when neither exists and `postgres` cannot be created
 */
export async function databaseUser(): Promise<SystemUser> {
  const existing = await findUser("postgres");
  if (existing) return existing;
  const options = ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin"];
  await run("useradd", [...options, "postgres"]).catch(() => undefined);
  const user = (await findUser("postgres")) ?? (await findUser("nobody"));
  if (user) return user;
  throw new DatabaseServerError(
    'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor "nobody"; add one, or start as an ordinary user',
  );
}

/** Returns the user that owns `path`, or undefined for root. */
export async function ownerOf(path: string): Promise<SystemUser | undefined> {
  const { uid, gid } = await stat(path);
  return uid === 0 ? undefined : { name: `number ${uid}`, uid, gid };
}

/**
 * Finds the path that denies `user` access to `target`. Access needs `x` on every parent folder and `rights` on the target.
 * Supplementary groups are ignored, because a child process under another user has none.
 * @param rights bits of one digit of a file mode: 4 read, 2 write, 1 enter or run
 * @returns undefined when `user` has access
 */
export async function findInaccessiblePath(
  user: SystemUser,
  target: string,
  rights: number,
): Promise<string | undefined> {
  let path = await realpath(target);
  for (let needed = rights; ; needed = 1) {
    const { mode, uid, gid } = await stat(path);
    const granted = uid === user.uid ? mode >> 6 : gid === user.gid ? mode >> 3 : mode;
    if ((granted & needed) !== needed) return path;
    const parent = dirname(path);
    if (parent === path) return undefined;
    path = parent;
  }
}

/** Lets `user` traverse, but not list, a folder that is private to root, by giving the folder to the user's group. */
export async function grantTraversal(user: SystemUser, folder: string): Promise<void> {
  const { mode, uid, gid } = await stat(folder);
  const isPrivate = uid === 0 && (mode & 0o067) === 0 && (gid === 0 || (mode & 0o010) === 0);
  if (!isPrivate) return;
  await chown(folder, 0, user.gid);
  await chmod(folder, 0o710);
}

/** Creates a folder that every user may enter, regardless of root's umask. */
export async function makeSystemFolder(path: string): Promise<void> {
  if (await mkdir(path, { recursive: true })) await chmod(path, 0o755);
}
