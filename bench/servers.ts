import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { freePort } from "../tests/support/http/ports.ts";
import type { Database } from "./data/dataset.ts";
import { launch, terminate } from "./lifetime.ts";
import type { Target } from "./load/workload.ts";

const top = fileURLToPath(new URL("../", import.meta.url));
/** The default of `pg` and of the service. */
const POOL_SIZE = "10";
const START_TIMEOUT_MS = 120_000;
const UNLIMITED = "999999999";

/** Generated for each run and shared by the servers and the token benchmark. */
export const SECRETS = {
  TOKEN_SECRETS: randomBytes(48).toString("base64"),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
};

const running = new Set<ChildProcess>();

/** Stops all servers and waits until they have ended. */
export async function stopServers(): Promise<void> {
  await Promise.all([...running].map(terminate));
  running.clear();
}

/** Starts a server in a separate process, without its log, and waits until it responds. */
async function start(
  script: string,
  env: Record<string, string>,
  readyPath: string,
  nodeArgs: readonly string[] = [],
): Promise<Target> {
  const port = env["PORT"] ?? String(await freePort());
  const child = launch(process.execPath, [...nodeArgs, path.join(top, script)], {
    cwd: top,
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: port,
      DATABASE_POOL_SIZE: POOL_SIZE,
      ...env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.add(child);
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const url = `http://127.0.0.1:${port}`;
  for (const deadline = performance.now() + START_TIMEOUT_MS; ;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${script} ended while starting:\n${stderr}`);
    const response = await fetch(url + readyPath).catch(() => undefined);
    await response?.arrayBuffer();
    if (response !== undefined && response.status !== 503) break;
    if (performance.now() > deadline) throw new Error(`${script} did not respond within 2 minutes:\n${stderr}`);
    await pause(50);
  }
  if (child.pid === undefined) throw new Error(`${script} did not start`);
  return { url, token: undefined, pid: child.pid };
}

export function startBare(kind: "rows" | "json", { url, shopId }: Database): Promise<Target> {
  return start(`bench/bare-${kind}.ts`, { DATABASE_URL: url, SHOP_ID: String(shopId) }, "/");
}

/** Starts the webhook receiver. */
export function startReceiver(): Promise<Target> {
  return start("bench/receiver.ts", {}, "/");
}

/** Starts a mail server. @returns its control address beside the URL for SMTP */
export async function startMailServer(): Promise<Target & { smtpUrl: string }> {
  const port = String(await freePort());
  const server = await start("bench/mail-server.ts", { SMTP_PORT: port }, "/");
  return { ...server, smtpUrl: `smtp://127.0.0.1:${port}` };
}

const packageFile = z.object({ scripts: z.object({ start: z.string() }) });

/** Returns the options that `npm start` passes to Node. */
async function startArguments(): Promise<string[]> {
  const { scripts } = packageFile.parse(JSON.parse(await readFile(path.join(top, "package.json"), "utf8")));
  return scripts.start.match(/--\S+/g) ?? [];
}

const exchanged = z.object({ data: z.object({ token: z.string() }) });

interface ServiceOptions {
  settings?: Record<string, string>;
  profile: boolean;
  nodeArguments?: readonly string[];
}

/** Starts the production build without rate limits and exchanges a key for a token. */
export async function startService({ key, ...database }: Database, options: ServiceOptions): Promise<Target> {
  const server = await startProcess(database, options);
  return { ...server, token: await exchange(server.url, key) };
}

/** Starts a process of the service without an API. */
export function startWorker(database: Pick<Database, "url">, options: ServiceOptions): Promise<Target> {
  return startProcess(database, { ...options, settings: { ...options.settings, WISHLIST_ROLE: "worker" } });
}

async function startProcess(
  { url: databaseUrl }: Pick<Database, "url">,
  { settings = {}, profile, nodeArguments = [] }: ServiceOptions,
): Promise<Target> {
  const env = {
    ...SECRETS,
    DATABASE_URL: databaseUrl,
    RATE_LIMIT_ADMIN_PER_MINUTE: UNLIMITED,
    RATE_LIMIT_STOREFRONT_PER_MINUTE: UNLIMITED,
    RATE_LIMIT_STOREFRONT_ADDRESS_PER_MINUTE: UNLIMITED,
    RATE_LIMIT_NEW_GUESTS_PER_HOUR: UNLIMITED,
    ...settings,
  };
  const profiling = profile ? ["--cpu-prof", `--cpu-prof-dir=${path.join(top, ".data/bench/profiles")}`] : [];
  return start("server/main.ts", env, "/readyz", [...(await startArguments()), ...profiling, ...nodeArguments]);
}

/** Returns an access token for a key. */
export async function exchange(url: string, key: Database["key"]): Promise<string> {
  const response = await fetch(`${url}/v1/auth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ api_key: key.keyId, api_secret: key.secret }),
  });
  if (!response.ok) throw new Error(`POST /v1/auth/token responded with ${response.status}: ${await response.text()}`);
  return exchanged.parse(await response.json()).data.token;
}
