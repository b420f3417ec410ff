import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Database } from "./data/dataset.ts";
import { launch, terminate } from "./lifetime.ts";
import type { Target } from "./load/workload.ts";

const top = fileURLToPath(new URL("../", import.meta.url));
/** What `pg` takes when it is told nothing, and the service's default as well. */
const POOL_SIZE = "10";
const START_WITHIN = 30_000;
const UNLIMITED = "999999999";

/** Drawn anew for each run; the servers and the token benchmark share them. */
export const SECRETS = {
  TOKEN_SECRETS: randomBytes(48).toString("base64"),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
};

const running = new Set<ChildProcess>();

/** Ends every server that was started and waits until they have ended. */
export async function stopServers(): Promise<void> {
  await Promise.all([...running].map(terminate));
  running.clear();
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => {
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
  });
}

/** Starts a server as a process of its own, its log going nowhere, and waits until it answers. */
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
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
  const url = `http://127.0.0.1:${port}`;
  for (const deadline = performance.now() + START_WITHIN; ;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${script} ended at its start:\n${said}`);
    const answer = await fetch(url + readyPath).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer !== undefined && answer.status !== 503) break;
    if (performance.now() > deadline) throw new Error(`${script} did not answer within 30 s:\n${said}`);
    await pause(50);
  }
  if (child.pid === undefined) throw new Error(`${script} did not start`);
  return { url, token: undefined, pid: child.pid };
}

export function startBare(kind: "rows" | "json", { url, shopId }: Database): Promise<Target> {
  return start(`bench/bare-${kind}.ts`, { DATABASE_URL: url, SHOP_ID: String(shopId) }, "/");
}

/** What webhooks are sent to. */
export function startReceiver(): Promise<Target> {
  return start("bench/receiver.ts", {}, "/");
}

const packageFile = z.object({ scripts: z.object({ start: z.string() }) });

/** The options that `npm start` gives Node. */
async function startArguments(): Promise<string[]> {
  const { scripts } = packageFile.parse(JSON.parse(await readFile(path.join(top, "package.json"), "utf8")));
  return scripts.start.match(/--\S+/g) ?? [];
}

const exchanged = z.object({ data: z.object({ token: z.string() }) });

/** The production build, with the limits out of the way and a token from its own exchange. */
export async function startOurs(
  { url: databaseUrl, key }: Database,
  { settings = {}, profile }: { settings?: Record<string, string>; profile: boolean },
): Promise<Target> {
  const env = {
    ...SECRETS,
    DATABASE_URL: databaseUrl,
    RATE_LIMIT_ADMIN_PER_MINUTE: UNLIMITED,
    RATE_LIMIT_STOREFRONT_PER_MINUTE: UNLIMITED,
    RATE_LIMIT_STOREFRONT_ADDRESS_PER_MINUTE: UNLIMITED,
    ...settings,
  };
  const profiling = profile ? ["--cpu-prof", `--cpu-prof-dir=${path.join(top, ".data/bench/profiles")}`] : [];
  const server = await start("server/main.ts", env, "/readyz", [...(await startArguments()), ...profiling]);
  return { ...server, token: await exchange(server.url, key) };
}

/** @returns an access token for a key */
export async function exchange(url: string, key: Database["key"]): Promise<string> {
  const answer = await fetch(`${url}/v1/auth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ api_key: key.keyId, api_secret: key.secret }),
  });
  if (!answer.ok) throw new Error(`POST /v1/auth/token answered ${answer.status}: ${await answer.text()}`);
  return exchanged.parse(await answer.json()).data.token;
}
