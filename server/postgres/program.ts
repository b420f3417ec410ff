import { spawn } from "node:child_process";
import { DatabaseServerError, errorCode } from "./errors.ts";

/** A system user that programs run as, for a caller that is root. */
export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

export interface Outcome {
  /** null when a signal ended the program */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** stdout and stderr as they came */
  output: string;
}

// PostgreSQL's messages are read here, so they must not depend on the caller's language. The caller's PG* variables
// would change what initdb and pg_ctl do.
const environment: NodeJS.ProcessEnv = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
  // Nothing to PostgreSQL, but the type demands it.
  NODE_ENV: "production",
};

/**
 * Runs a program to its end, with a fixed environment and `/` as its working folder (the caller's own may be closed to
 * `user`).
 * @throws DatabaseServerError when the program cannot be run at all; a failing program is an outcome, not an error
 */
export function run(program: string, args: readonly string[], user?: SystemUser): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: "/",
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      ...(user && { uid: user.uid, gid: user.gid }),
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.once("error", (error) => {
      const as = user ? ` as user ${user.name}` : "";
      reject(new DatabaseServerError(`${program} cannot be run${as} on this machine (${errorCode(error)})`));
    });
    child.once("close", (code, signal) => {
      resolve({ code, signal, output });
    });
  });
}

/** Is there a process with this id, whoever's it is? */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
