import { flatRoutes } from "@remix-run/dev/dist/config/flat-routes.js";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import { z } from "zod";
import { closeDatabase } from "../../../app/platform/database/database.server.ts";
import { createApp } from "../../../server/app.ts";
import { asAppBuild, type AppBuild } from "../../../server/build.ts";
import { createHttpServer, type HttpServer } from "../../../server/http-server.ts";
import { createDatabase, type TestDatabase } from "../database/database.ts";
import { serviceEnv } from "./service.ts";

const APP = fileURLToPath(new URL("../../../app/", import.meta.url));

const LINE_WRITER = "../../../app/platform/log/line-writer.server.ts";

/** The modules of the resource routes, by path relative to app/. Pages are left out, because they need Remix's build. */
const MODULES = import.meta.glob<object>(["../../../app/routes/*.ts", "../../../app/routes/*/route.ts"]);

/** The app in the test's process: the front, routes and start of production, without Remix's build and without a socket. */
export interface InProcessApp {
  /** Sends a request like `fetch` to a server. */
  fetch: (path: string, init?: RequestInit, options?: SendOptions) => Promise<Response>;
  /**
   * Serves the app on a local port, for tests that write raw bytes.
   * @returns its URL
   */
  listen: () => Promise<string>;
  database: TestDatabase;
  /** the lines that the app has logged so far */
  log: () => Record<string, unknown>[];
  /** Stops the app's clock at a time; `undefined` starts it again. */
  holdClock: (at: Date | undefined) => void;
  /** Stops the app like a signal. */
  stop: () => Promise<void>;
  /** Stops the app and drops its database. */
  dispose: () => Promise<void>;
}

export interface SendOptions {
  /** the request target, which `fetch` would normalize */
  target?: string | undefined;
}

export interface InProcessOptions {
  env?: Record<string, string>;
  /** another instance's database, to run two instances on it */
  database?: TestDatabase;
}

interface Instance {
  build: AppBuild;
  lines: Record<string, unknown>[];
  holdClock: (at: Date | undefined) => void;
}

const lineSchema = z.record(z.string(), z.unknown());

let loading: Promise<unknown> = Promise.resolve();

/** Loads new copies of the app's modules, so that each instance has its own module state like a process. */
function loadInstance(): Promise<Instance> {
  const load = async (): Promise<Instance> => {
    const lines: Record<string, unknown>[] = [];
    vi.resetModules();
    vi.doMock(LINE_WRITER, () => ({
      lineWriter: () => ({
        write: (line: string) => void lines.push(lineSchema.parse(JSON.parse(line))),
        flush: async () => undefined,
      }),
    }));
    const { service } = await import("../../../app/service.server.ts");
    const { holdClock } = await import("../../../app/platform/clock.server.ts");
    const routes: Record<string, object> = { root: { id: "root", path: "", module: {} } };
    for (const route of Object.values(flatRoutes(APP.replace(/\/$/, "")))) {
      const module = await MODULES[`../../../app/${route.file}`]?.();
      routes[route.id] = { ...route, module: module ?? {} };
    }
    // Otherwise the next file of this worker would import this instance's modules, with the state in which they stopped.
    vi.doUnmock(LINE_WRITER);
    vi.resetModules();
    return {
      build: asAppBuild({ routes, entry: { module: { service } }, future: { v3_singleFetch: true } }),
      lines,
      holdClock,
    };
  };
  // Two instances that load modules concurrently would share them.
  const loaded = loading.then(load);
  loading = loaded.catch(() => undefined);
  return loaded;
}

/** Runs the synchronous part of `work` with these variables as the complete environment. */
function withEnvironment<T>(env: NodeJS.ProcessEnv, work: () => T): T {
  const own = process.env;
  process.env = env;
  try {
    return work();
  } finally {
    process.env = own;
  }
}

/** Adds the headers that an HTTP client adds. */
function toRequest(location: string, init: RequestInit): Request {
  const headers = new Headers(init.headers);
  const { body } = init;
  if (typeof body === "string" || body instanceof Uint8Array) {
    headers.set("content-length", String(Buffer.byteLength(body)));
  } else if ((body === undefined || body === null) && ["POST", "PUT", "PATCH"].includes(init.method ?? "GET")) {
    headers.set("content-length", "0");
  }
  return new Request(new URL(location, "http://wishlist.test"), { ...init, headers });
}

/** Starts the app in this process with the settings of `serviceEnv`. */
export async function startApp(options: InProcessOptions = {}): Promise<InProcessApp> {
  const database = options.database ?? (await createDatabase());
  const { build, lines, holdClock } = await loadInstance();
  const { service } = build.entry.module;
  const settings: NodeJS.ProcessEnv = { ...serviceEnv(database.url), ...options.env };
  // The service reads its environment before its first await.
  const env = await withEnvironment(settings, () => service.start({}, "0.0.0-test"));
  const app = createApp(env, () => build);
  let http: HttpServer | undefined;

  const stop = async (): Promise<void> => {
    service.beginStopping();
    await http?.close(0);
    await service.stopAll();
  };
  return {
    async fetch(location, init = {}, { target } = {}) {
      const from = target === undefined ? {} : { target };
      const response = await app.request(toRequest(location, init), from);
      const withoutBody = init.method === "HEAD" || response.status === 304;
      return withoutBody ? new Response(null, response) : response;
    },
    async listen() {
      http ??= createHttpServer(app);
      const { server } = http;
      if (!server.listening) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      if (typeof address !== "object" || address === null) throw new Error("the server has no port");
      return `http://127.0.0.1:${address.port}`;
    },
    database,
    log: () => lines,
    holdClock,
    stop,
    async dispose() {
      await stop();
      if (options.database) return;
      // The test's own copy of the app's modules, with which it makes shops, has a pool as well.
      await closeDatabase();
      await database.drop();
    },
  };
}
