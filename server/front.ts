import { createServer, IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { createRequestHandler, type AppLoadContext } from "@remix-run/node";
import type { Env } from "../app/platform/env.server.ts";
import { builtAssets } from "./assets.ts";
import type { AppBuild } from "./build.ts";
import { expressLane, ride, type ExpressLane, type Hit } from "./express-lane.ts";
import { cleanTarget, decodable, isHost } from "./target.ts";

/** Milliseconds that a kept-alive connection may stay quiet, once no more are accepted, before it is closed. */
const LINGER = 1_000;

/** Milliseconds that the rest of a refused request is read and thrown away. */
const READ_ON = 1_000;

/** Methods that Remix's handler passes on to a route. Any other it answers itself, and not as the API does. */
const REMIX_METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

/** All that a process answers whose role is `worker`. */
const HEALTH = new Set(["/healthz", "/readyz"]);

/** Paths that programs try, where there are no pages: other versions, and the API's own words without the version. */
const PROGRAMS = /^\/(?:v\d+|api|rest|graphql|wishlists?|analytics|openapi(?:\.\w+)?|swagger(?:\.\w+)?)(?:\/|$)/i;

/** Asks Remix for one route's data in the form that it no longer has: it would answer, and log an error with a stack for each request. */
const LEGACY_DATA = /[?&]_data(?:=|&|$)/;

interface Handlers {
  lane: ExpressLane;
  remix: (request: Request, context?: AppLoadContext) => Promise<Response>;
}

interface Arrival {
  build: AppBuild;
  context: AppLoadContext;
  /** the resource route that is meant, if it is one */
  hit: Hit | undefined;
}

/** A request with what the front has found out about it. */
class Incoming extends IncomingMessage {
  arrival: Arrival | undefined = undefined;
}

/** Answers a request, or passes it on. */
export type Middleware = (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void) => void;

export interface Front {
  server: Server;
  /** Resolves when every request that was accepted has been answered, or the grace is over. */
  close: (graceMs: number) => Promise<void>;
}

/**
 * The HTTP server: gives each request its id and the caller's address, refuses what no route should see, and hands it to the
 * express lane or to Remix.
 * @param currentBuild asked for each request, so that a development server can replace it
 * @param middleware sees each request first: the development server's, for sources and their updates
 */
export function createFront(
  env: Env,
  currentBuild: () => AppBuild | Promise<AppBuild>,
  middleware: Middleware = (_incoming, _outgoing, next) => {
    next();
  },
): Front {
  const handlersOf = new WeakMap<AppBuild, Handlers>();
  // A count, not a set: what is added to and taken from a long-lived set with each request keeps dead answers in memory.
  let active = 0;
  /** connections on which no request has come yet */
  const unused = new Set<Socket>();
  const assets = builtAssets();
  let closing = false;
  let lastAnswer = performance.now();

  function handlers(build: AppBuild): Handlers {
    let known = handlersOf.get(build);
    if (!known) {
      known = {
        lane: expressLane(build),
        remix: createRequestHandler(build, env.production ? "production" : "development"),
      };
      handlersOf.set(build, known);
    }
    return known;
  }

  function answer(request: Request, { build, context, hit }: Arrival): Response | Promise<Response> {
    if (context.http.target.startsWith("/assets/")) return assets(request);
    if (!hit && PROGRAMS.test(context.http.target.split("?", 1)[0] ?? "")) {
      return build.entry.module.service.notFoundResponse(context.http, request.method !== "HEAD");
    }
    if (hit && (env.fastPath || !REMIX_METHODS.has(request.method))) return ride(hit, request, context);
    return handlers(build).remix(request, context);
  }

  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const arrival = incoming instanceof Incoming ? incoming.arrival : undefined;
      if (!arrival) throw new Error("a request that did not come through the front");
      try {
        return await answer(request, arrival);
      } catch (error) {
        const { service } = arrival.build.entry.module;
        const { requestId } = arrival.context.http;
        service.log.error({ err: error, requestId }, "a request failed");
        const message = "Something went wrong on our side. Quote the request id when you report it.";
        return service.failureResponse(new service.Failure("internal_error", message), { requestId });
      } finally {
        // Kept-alive clients would go on for ever.
        if (closing && "shouldKeepAlive" in outgoing) outgoing.shouldKeepAlive = false;
      }
    },
    { hostname: "localhost" },
  );

  async function handle(incoming: Incoming, outgoing: ServerResponse): Promise<void> {
    const started = performance.now();
    const current = currentBuild();
    const build = current instanceof Promise ? await current : current;
    const { service } = build.entry.module;
    const requestId = service.requestId();
    const logged: AppLoadContext["http"]["logged"] = {};
    outgoing.on("close", () => {
      service.log.info(
        {
          requestId,
          method: incoming.method,
          ...logged,
          status: outgoing.statusCode,
          ms: Math.round((performance.now() - started) * 10) / 10,
          ...(outgoing.writableFinished ? {} : { aborted: true }),
        },
        "request",
      );
    });

    const refuse = (failure: InstanceType<typeof service.Failure>): void => {
      logged.code = failure.code;
      outgoing.shouldKeepAlive = false;
      const response = service.failureResponse(failure, { requestId });
      void response.text().then((body) => {
        const length = { "Content-Length": Buffer.byteLength(body) };
        outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...length });
        outgoing.write(body);
        // A connection that is closed with much of the request unread is reset, and the answer may be lost on its way.
        const end = (): void => void outgoing.end();
        const waiting = setTimeout(end, READ_ON);
        incoming.once("close", () => {
          clearTimeout(waiting);
        });
        incoming.once("end", end).resume();
      });
    };
    const { host } = incoming.headers;
    if (host === undefined ? incoming.httpVersion === "1.1" : host !== "" && !isHost(host)) {
      refuse(new service.Failure("invalid_request", "The request's Host header is missing or not valid."));
      return;
    }
    const target = cleanTarget(incoming.url ?? "");
    if (target === undefined) {
      refuse(
        new service.Failure(
          "invalid_request",
          "The request's path is not valid. Percent-encode it; `.` and `..` are not ids.",
        ),
      );
      return;
    }
    const mark = target.indexOf("?");
    const hit = handlers(build).lane(incoming.method ?? "GET", mark < 0 ? target : target.slice(0, mark));
    const limit = hit ? (hit.handler.bodyLimit ?? service.BODY_LIMIT) : service.FORM_BODY_LIMIT;
    if (Number(incoming.headers["content-length"] ?? 0) > limit) {
      refuse(service.payloadTooLarge(limit));
      return;
    }
    if (env.role === "worker" && !HEALTH.has(target)) {
      refuse(new service.Failure("not_found", "This process works in the background and answers no requests."));
      return;
    }
    if (!hit && LEGACY_DATA.test(target)) {
      refuse(new service.Failure("invalid_request", "query._data is not a known query parameter."));
      return;
    }
    const forwardedFor = incoming.headers["x-forwarded-for"];
    const forwarded = typeof forwardedFor === "string" ? forwardedFor : forwardedFor?.join(",");
    const context: AppLoadContext = {
      http: {
        requestId,
        clientAddress: service.clientAddress(
          incoming.socket.remoteAddress ?? "",
          // How far to believe Shopify's own proxies is known when the request's signature has been checked.
          env.trustedProxyHops === 0 && target.startsWith("/proxy") ? undefined : forwarded,
          env.trustedProxyHops,
        ),
        target,
        logged,
      },
    };
    incoming.arrival = { build, context, hit };
    // A resource route reads the raw target. Remix's router would decode it, fold its case and take `.data`, `?index` and `?_data` for its
    // own protocol, so that the two ways would answer differently.
    incoming.url = hit ? hit.plainPath : decodable(target);
    await listener(incoming, outgoing);
  }

  /** What is not even HTTP gets a JSON error all the same. */
  async function answerClientError(error: Error, socket: Duplex): Promise<void> {
    const code = "code" in error && typeof error.code === "string" ? error.code : "";
    const { service } = (await currentBuild()).entry.module;
    if (!socket.writable || code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const [status, message] = CLIENT_ERRORS[code] ?? ["400 Bad Request", "The request is not valid HTTP."];
    const failure = new service.Failure("invalid_request", message);
    const response = service.failureResponse(failure, { requestId: service.requestId() });
    const body = await response.text();
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.end(
      `HTTP/1.1 ${status}\r\n${headers}Connection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }

  // A missing Host is refused by handle(), in JSON.
  const options = {
    IncomingMessage: Incoming,
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    requireHostHeader: false,
  };
  const server = createServer(options, accept);
  // An expectation that is not known may be ignored (RFC 9110 §10.1.1).
  server.on("checkExpectation", accept);
  server.on("clientError", (error, socket) => {
    answerClientError(error, socket).catch(() => socket.destroy());
  });

  server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });

  function accept(incoming: Incoming, outgoing: ServerResponse): void {
    unused.delete(incoming.socket);
    active++;
    outgoing.once("close", () => {
      active--;
      lastAnswer = performance.now();
    });
    middleware(incoming, outgoing, () => {
      handle(incoming, outgoing).catch(() => {
        outgoing.destroy();
      });
    });
  }

  async function close(graceMs: number): Promise<void> {
    closing = true;
    const closed = new Promise<void>((resolve) => {
      // http.Server's own close() also drops idle connections, and with them a request that is on its way.
      NetServer.prototype.close.call(server, () => {
        resolve();
      });
    });
    const lingering = setInterval(() => {
      if (active > 0 || performance.now() - lastAnswer < LINGER) return;
      server.closeIdleConnections();
      // Node does not count a connection as idle before its first request.
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    }, LINGER / 4);
    const forced = setTimeout(() => {
      server.closeAllConnections();
    }, graceMs);
    await closed;
    clearInterval(lingering);
    clearTimeout(forced);
  }

  return { server, close };
}

const CLIENT_ERRORS: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The request's headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time."],
};
