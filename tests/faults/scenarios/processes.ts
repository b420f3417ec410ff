import type { Scenario } from "./scenario.ts";

export const webKilled: Scenario = {
  name: "web-killed",
  title: "`kill -9` of a web process",
  seconds: 0,
  inject: ({ webs: [web] }) => web?.process.signal("SIGKILL"),
  goal: { connectionErrors: true },
};

export const workerKilled: Scenario = {
  name: "worker-killed",
  title: "`kill -9` of the worker",
  seconds: 0,
  inject: ({ worker }) => worker.process.signal("SIGKILL"),
  goal: { refusals: false },
};

export const rollingRestart: Scenario = {
  name: "rolling-restart",
  title: "Rolling restart of all processes (SIGTERM)",
  seconds: 0,
  async inject({ webs, worker }) {
    for (const service of [...webs, worker]) await service.restart();
  },
  goal: { refusals: false },
};

export const coldStart: Scenario = {
  name: "cold-start",
  title: "Both web processes, the worker and PostgreSQL at once",
  needs: "postgres",
  seconds: 5,
  async inject({ webs, worker, database }) {
    for (const { process } of [...webs, worker]) void process.stop("SIGKILL");
    await database?.primary.stop("immediate");
  },
  async heal({ webs, worker, database }) {
    for (const { process } of [...webs, worker]) process.start();
    await database?.primary.start();
  },
  goal: { connectionErrors: true },
};
