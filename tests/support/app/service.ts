import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { COMPILE_CACHE } from "./compile-cache.ts";
import { START } from "./launch.ts";
import { createDatabase, type TestDatabase } from "../database/database.ts";

/** Secrets of the servers under test, with which tests sign tokens as well. */
export const TOKEN_SECRET = "vH2sKq8Zr1Xw5Ty9Lm3Np7Bc4Df6Gj0QaUeRoIi";
export const ENCRYPTION_KEY = `k1:${Buffer.from("0123456789abcdefghijklmnopqrstuv").toString("base64")}`;

export interface Service {
  /** such as http://127.0.0.1:41234 */
  url: string;
  database: TestDatabase;
  child: ChildProcess;
  /** the log entries so far */
  log: () => Record<string, unknown>[];
  /**
   * Sends a signal and waits for the process to end.
   * @returns the exit code
   */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  /** Kills the server, because nothing is to follow, and drops its database. A stop waits a second for clients that keep their connections. */
  dispose: () => Promise<void>;
}

export interface ServiceOptions {
  env?: Record<string, string>;
  /** another server's database, to run two servers on it */
  database?: TestDatabase;
}

/** The settings of a server under test: production with high rate limits. */
export function serviceEnv(databaseUrl: string): Record<string, string> & { NODE_ENV: "production" } {
  return {
    ...COMPILE_CACHE,
    PATH: process.env["PATH"] ?? "",
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: "0",
    DATABASE_URL: databaseUrl,
    TOKEN_SECRETS: TOKEN_SECRET,
    ENCRYPTION_KEYS: ENCRYPTION_KEY,
    RATE_LIMIT_ADMIN_PER_MINUTE: "1000000",
    RATE_LIMIT_STOREFRONT_PER_MINUTE: "1000000",
    RATE_LIMIT_STOREFRONT_ADDRESS_PER_MINUTE: "1000000",
    RATE_LIMIT_NEW_GUESTS_PER_HOUR: "1000000",
  };
}

/** Starts the production server as a process and waits until it listens. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const database = options.database ?? (await createDatabase());
  const child = spawn(process.execPath, START, {
    env: { ...serviceEnv(database.url), ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: Record<string, unknown>[] = [];
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const exited = once(child, "exit").then(([code]: unknown[]) => (typeof code === "number" ? code : null));

  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const entry: unknown = JSON.parse(line);
      if (typeof entry !== "object" || entry === null) return;
      lines.push({ ...entry });
      if ("msg" in entry && entry.msg === "listening" && "port" in entry) resolve(Number(entry.port));
    });
    void exited.then((code) => {
      reject(new Error(`the server ended with ${String(code)} before it listened:\n${errors}`));
    });
  });

  const stop = async (signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return exited;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    database,
    child,
    log: () => lines,
    stop,
    async dispose() {
      await stop("SIGKILL");
      if (!options.database) await database.drop();
    },
  };
}
