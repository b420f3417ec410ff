import { chmod, chown, mkdir, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseServerError } from "./errors.ts";
import { run, type SystemUser } from "./program.ts";

/** Is this process root, as whom PostgreSQL refuses to run? */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

async function lookUp(name: string): Promise<SystemUser | undefined> {
  // `id` asks the machine's own directory of users, which is not always /etc/passwd.
  const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
  if (uid.code !== 0 || gid.code !== 0) return undefined;
  return { name, uid: Number(uid.output), gid: Number(gid.output) };
}

/**
 * The user whom PostgreSQL runs as when this process is root: `postgres`, made when there is none, else `nobody`.
 * @throws DatabaseServerError when there is no such user and none can be made
 */
export async function databaseUser(): Promise<SystemUser> {
  const existing = await lookUp("postgres");
  if (existing) return existing;
  const options = ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin"];
  await run("useradd", [...options, "postgres"]).catch(() => undefined);
  const user = (await lookUp("postgres")) ?? (await lookUp("nobody"));
  if (user) return user;
  throw new DatabaseServerError(
    'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor "nobody"; add one, or start as an ordinary user',
  );
}

/** The user that owns `path`, or undefined when that is root. */
export async function ownerOf(path: string): Promise<SystemUser | undefined> {
  const { uid, gid } = await stat(path);
  return uid === 0 ? undefined : { name: `number ${uid}`, uid, gid };
}

/**
 * Which path keeps `user` from `target`? Passing needs `x` on every folder above it and `rights` on the target itself.
 * Supplementary groups do not count: a child process started under another user has none.
 * @param rights bits as in one digit of a file mode: 4 read, 2 write, 1 enter or run
 * @returns the path that is closed, undefined when there is none
 */
export async function closedPath(user: SystemUser, target: string, rights: number): Promise<string | undefined> {
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

/** Lets `user` pass through a folder that root has for itself, and no more than that, by making its group the user's. */
export async function letPass(user: SystemUser, folder: string): Promise<void> {
  const { mode, uid, gid } = await stat(folder);
  const isPrivate = uid === 0 && (mode & 0o067) === 0 && (gid === 0 || (mode & 0o010) === 0);
  if (!isPrivate) return;
  await chown(folder, 0, user.gid);
  await chmod(folder, 0o710);
}

/** Makes a folder that every user may enter, whatever root's umask is. */
export async function makeSystemFolder(path: string): Promise<void> {
  if (await mkdir(path, { recursive: true })) await chmod(path, 0o755);
}
