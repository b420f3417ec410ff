import { spawn } from "node:child_process";
import { DatabaseServerError, errorCode } from "./errors.ts";

/** A system user under which root runs programs. */
export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

export interface Outcome {
  /** null when a signal ended the program */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** stdout and stderr, interleaved */
  output: string;
}

// A fixed environment: PostgreSQL's messages are parsed and must not depend on the caller's locale, and the caller's PG*
// variables would change the behaviour of initdb and pg_ctl.
const environment: NodeJS.ProcessEnv = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
  // Ignored by PostgreSQL; required by the type.
  NODE_ENV: "production",
};

/**
 * Runs a program to its end, with a fixed environment and in `/`, because `user` may have no access to the working folder.
 * @throws DatabaseServerError when the program cannot be started; a program that fails is an outcome, not an error
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

/** Checks whether a process with this id exists, under any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
