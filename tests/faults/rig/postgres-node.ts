import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { chown, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import pg from "pg";
import { runOrThrow } from "../../../bench/lifetime.ts";
import { Supervised } from "./supervised.ts";

export const POSTGRES_15 = process.env["WISHLIST_TEST_POSTGRES_15"] ?? "/usr/lib/postgresql/15/bin";

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  shared_buffers: "64MB",
  max_wal_size: "128MB",
  min_wal_size: "32MB",
  wal_keep_size: "64MB",
  hot_standby: "on",
  // The default of 5 s would hold up commits for so long after a restart of the primary.
  wal_retrieve_retry_interval: "500ms",
  synchronous_commit: "on",
  log_min_messages: "warning",
};

export const NODE_ROLE = "postgres";

/** Returns the system user that runs PostgreSQL, which refuses to run as root. */
function systemUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

export interface NodeOptions {
  /** where the data folder is */
  volume: string;
  port: number;
  logFile: string;
  /** folder of PostgreSQL's programs */
  binaries?: string;
  /** override the defaults */
  settings?: Readonly<Record<string, string>>;
}

/** One PostgreSQL server with a data folder. */
export class PostgresNode {
  readonly name: string;
  readonly port: number;
  /** on the node's own volume */
  readonly volume: string;
  readonly process: Supervised;
  readonly #data: string;
  readonly #binaries: string;
  readonly #user = systemUser();

  constructor(name: string, { volume, port, logFile, binaries = POSTGRES_15, settings: overrides = {} }: NodeOptions) {
    this.name = name;
    this.port = port;
    this.volume = volume;
    this.#data = join(volume, "data");
    this.#binaries = binaries;
    const settings = Object.entries({ ...SETTINGS, ...overrides, port: String(port), cluster_name: name });
    this.process = new Supervised({
      name: `PostgreSQL ${name}`,
      command: join(binaries, "postgres"),
      args: ["-D", this.#data, ...settings.flatMap(([key, value]) => ["-c", `${key}=${value}`])],
      env: { NODE_ENV: "production", LC_ALL: "C", TZ: "UTC" },
      logFile,
      ...this.#user,
    });
  }

  get url(): string {
    return `postgres://${NODE_ROLE}@127.0.0.1:${this.port}/wishlist`;
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const options = { env: { NODE_ENV: "production", LC_ALL: "C" } as const, cwd: "/", ...this.#user };
    await runOrThrow(join(this.#binaries, program), args, options);
  }

  async #emptyFolder(): Promise<void> {
    await rm(this.#data, { recursive: true, force: true });
    await mkdir(this.#data, { recursive: true, mode: 0o700 });
    if (this.#user) await chown(this.#data, this.#user.uid, this.#user.gid);
  }

  /** Creates an empty cluster. */
  async create(): Promise<void> {
    await this.#emptyFolder();
    await this.#run("initdb", ["-D", this.#data, "-U", NODE_ROLE, "-A", "trust", "-E", "UTF8", "--no-instructions"]);
  }

  /** Makes this server a standby of another one. */
  async copy(primary: PostgresNode): Promise<void> {
    await this.#emptyFolder();
    const from = `host=127.0.0.1 port=${primary.port} user=${NODE_ROLE} application_name=${this.name}`;
    await this.#run("pg_basebackup", ["-D", this.#data, "-d", from, "-R", "-X", "stream", "-c", "fast"]);
  }

  /** Starts the server and waits until it accepts connections. */
  async start(): Promise<void> {
    this.process.start();
    await this.accepts();
  }

  async accepts(): Promise<void> {
    const deadline = performance.now() + 60_000;
    while (!(await this.#responds())) {
      if (performance.now() > deadline) {
        const { name, logFile } = this.process.program;
        const reason = readFileSync(logFile, "utf8")
          .match(/FATAL: .*/g)
          ?.at(-1);
        throw new Error(`${name} does not start: ${reason ?? "it does not respond within a minute"}`);
      }
      await after(50);
    }
  }

  async #responds(): Promise<boolean> {
    return this.rows("SELECT 1", [], "postgres").then(
      () => true,
      () => false,
    );
  }

  async rows(sql: string, values: unknown[] = [], database = "wishlist"): Promise<pg.QueryResultRow[]> {
    const url = this.url.replace(/wishlist$/, database);
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query<pg.QueryResultRow>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Returns the ids of the postmaster and of its processes. */
  #processes(): number[] {
    const { pid } = this.process;
    if (pid === undefined) return [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    return [pid, ...children.map(Number)];
  }

  /** Suspends all processes of the server. */
  pause(): void {
    for (const pid of this.#processes()) signal(pid, "SIGSTOP");
  }

  resume(): void {
    for (const pid of this.#processes()) signal(pid, "SIGCONT");
  }

  /** Kills the server and its processes at once, like a loss of power. */
  crash(): void {
    for (const pid of this.#processes()) signal(pid, "SIGKILL");
  }

  async stop(mode: "fast" | "immediate"): Promise<void> {
    this.resume();
    await this.process.stop(mode === "fast" ? "SIGINT" : "SIGQUIT");
  }

  async promote(): Promise<void> {
    await this.rows("SELECT pg_promote(true, 60)");
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself.
  }
}
