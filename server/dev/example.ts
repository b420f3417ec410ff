import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { END_SIGNALS, fail, StartError } from "../fail.ts";
import { findFreePort } from "../postgres/server.ts";
import { DEMO_FILE, SHOP_FRONT_ORIGINS, type DemoFile } from "./demo-access.ts";

/** `npm run example`: the shop front of examples/react-storefront, with the demo unless that runs already. */

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const EXAMPLE = path.join(ROOT, "examples/react-storefront");
const [ADDRESS] = SHOP_FRONT_ORIGINS;

const children: ChildProcess[] = [];
let isStopping = false;

/** Starts a program that ends with this one, and ends this one when it ends. */
function start(args: readonly string[], cwd: string): ChildProcess {
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  children.push(child);
  child.on("exit", (code) => void stop(code ?? 1));
  return child;
}

/** Stops the programs and waits for them. */
async function stop(exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  const running = children.filter((child) => child.exitCode === null && child.signalCode === null);
  const ended = running.map((child) => once(child, "exit"));
  for (const child of running) child.kill("SIGTERM");
  await Promise.all(ended);
  process.exit(exitCode);
}

async function responds(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Tells whether the demo that wrote the file runs: its service, and its store, which starts last. */
async function demoRuns(file: string): Promise<boolean> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return false;
  const { apiUrl, storefront } = JSON.parse(text) as DemoFile;
  return (await responds(`${apiUrl}/readyz`)) && (await responds(`${storefront.url}/.well-known/openid-configuration`));
}

/** Waits for the file of a demo that was started at a time in milliseconds. The demo writes it when everything runs. */
async function demoStarted(file: string, startedAt: number): Promise<void> {
  const isWritten = () =>
    stat(file).then(
      ({ mtimeMs }) => mtimeMs >= startedAt,
      () => false,
    );
  while (!(await isWritten())) await sleep(200);
}

for (const signal of END_SIGNALS) process.on(signal, () => void stop(0));

try {
  const port = Number(new URL(ADDRESS).port);
  if ((await findFreePort(port)) !== port) {
    throw new StartError(
      `Port ${port} is in use; stop that program. The demo's publishable key and login are for ${ADDRESS}.`,
    );
  }
  const file = path.join(path.resolve(provideSettings({}).dataDir), DEMO_FILE);
  if (!(await demoRuns(file))) {
    const startedAt = Date.now();
    start([path.join(ROOT, "server/dev/demo.ts")], process.cwd());
    await demoStarted(file, startedAt);
  }
  start([path.join(ROOT, "node_modules/vite/bin/vite.js"), "--logLevel", "warn"], EXAMPLE);
  while (!(await responds(ADDRESS))) await sleep(100);
  process.stdout.write(`\n  Example      ${ADDRESS}\n\n  Ctrl-C stops it, and the demo if it was started with it.\n`);
} catch (error) {
  await fail(error);
}
