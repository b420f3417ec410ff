import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { freePort } from "../http/ports.ts";
import { pathOf } from "./needs.ts";
import { redisServer } from "./programs.ts";

/** A Redis server of a test that declares `needs(redisServer)`, without persistence. */
export interface TestRedis {
  url: string;
  /** Stops the server like an outage. */
  stop: () => Promise<void>;
  /** Starts the server again at the same address, empty. */
  start: () => Promise<void>;
  /** Suspends the process: connections stay open without responses. */
  hang: () => void;
  resume: () => void;
}

export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  const program = pathOf(redisServer);
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();

  const start = async (): Promise<void> => {
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    const started = spawn(program, args, { cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
    child = started;
    ended = once(started, "exit");
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: started.stdout }).on("line", (line) => {
        if (line.includes("Ready to accept connections")) resolve();
      });
      started.once("error", reject);
      started.once("exit", () => reject(new Error(`${program} did not start on port ${port}`)));
    });
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    async stop() {
      child?.kill("SIGKILL");
      await ended;
    },
    hang: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
  };
}
