import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { serviceEnv } from "../../support/app/service.ts";
import { freePort } from "../../support/http/ports.ts";
import { Supervised } from "./supervised.ts";

const MAIN = fileURLToPath(new URL("../../../server/main.ts", import.meta.url));
const FAKETIME = [
  "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
  "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
];

/** Connections of each process for requests. */
const POOL_SIZE = 10;

/** Returns Debian's libfaketime, or undefined when it is not installed. */
export function libfaketime(): string | undefined {
  return FAKETIME.find((path) => existsSync(path));
}

/** A process of the service under supervision. */
export class ServiceProcess {
  readonly name: string;
  readonly url: string;
  readonly process: Supervised;
  readonly #env: NodeJS.ProcessEnv;
  readonly #clockFile: string;

  constructor(name: string, options: { port: number; env: NodeJS.ProcessEnv; folder: string }) {
    const { port, env, folder } = options;
    this.name = name;
    this.url = `http://127.0.0.1:${port}`;
    this.#env = { ...env, PORT: String(port) };
    this.#clockFile = join(folder, `${name}.clock`);
    this.process = new Supervised({
      name,
      command: process.execPath,
      args: ["--max-semi-space-size=16", MAIN],
      env: this.#env,
      logFile: join(folder, `${name}.log`),
    });
  }

  async isReady(): Promise<boolean> {
    try {
      const response = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(1_500) });
      await response.text();
      return response.ok;
    } catch {
      return false;
    }
  }

  async ready(): Promise<void> {
    const deadline = performance.now() + 30_000;
    while (!(await this.isReady())) {
      if (performance.now() > deadline) {
        const log = readFileSync(this.process.program.logFile, "utf8").slice(-2_000);
        throw new Error(`${this.name} is not ready. The end of its log:\n${log}`);
      }
      await after(50);
    }
  }

  /** Restarts the process by SIGTERM and waits until it is ready. */
  async restart(): Promise<void> {
    await this.process.stop("SIGTERM");
    this.process.start();
    await this.ready();
  }

  /** Restarts the process with a clock that `setClock` changes. The monotonic clock stays as it is. */
  async useAdjustableClock(): Promise<void> {
    this.setClock("+0");
    this.process.program.env = {
      ...this.#env,
      LD_PRELOAD: libfaketime() ?? "",
      FAKETIME_TIMESTAMP_FILE: this.#clockFile,
      FAKETIME_CACHE_DURATION: "1",
      DONT_FAKE_MONOTONIC: "1",
    };
    await this.restart();
  }

  /** @param offset such as `+2h` */
  setClock(offset: string): void {
    writeFileSync(this.#clockFile, `${offset}\n`);
  }

  async useMachineClock(): Promise<void> {
    this.process.program.env = this.#env;
    await this.restart();
  }
}

export interface Services {
  webs: ServiceProcess[];
  worker: ServiceProcess;
}

/** Describes two web processes and a worker. They are not started yet. */
export async function describeServices(options: {
  databaseUrl: string;
  redisUrl: string;
  folder: string;
}): Promise<Services> {
  const { databaseUrl, redisUrl, folder } = options;
  const env = {
    ...serviceEnv(databaseUrl),
    REDIS_URL: redisUrl,
    LOG_LEVEL: "warn",
    DATABASE_POOL_SIZE: String(POOL_SIZE),
  };
  const web = async (name: string): Promise<ServiceProcess> =>
    new ServiceProcess(name, {
      port: await freePort(),
      folder,
      // As long as the load balancer takes to notice that a process is not ready.
      env: { ...env, WISHLIST_ROLE: "web", SHUTDOWN_DELAY_SECONDS: "2" },
    });
  const worker = new ServiceProcess("worker", {
    port: await freePort(),
    folder,
    // Receivers run on this machine, which production refuses.
    env: { ...env, WISHLIST_ROLE: "worker", NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" },
  });
  return { webs: [await web("web-1"), await web("web-2")], worker };
}
