import { createServer, IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { App, Exchange } from "./app.ts";

/** Milliseconds that a kept-alive connection may stay quiet, once the server accepts no more, before it is closed. */
const LINGER = 1_000;

/** Milliseconds for which the rest of a refused request is read and discarded. */
const READ_ON = 1_000;

const CLIENT_ERRORS: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The request's headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time."],
};

/** A request with the exchange that the app has opened for it. */
class Incoming extends IncomingMessage {
  exchange: Exchange | undefined = undefined;
}

/** Responds to a request, or calls `next`. */
export type Middleware = (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void) => void;

export interface HttpServer {
  server: Server;
  /** From now on each response closes its connection, so that clients and proxies open their next one elsewhere. */
  closeAfterResponses: () => void;
  /** Resolves when every accepted request has its response, or the grace period is over. */
  close: (graceMs: number) => Promise<void>;
}

/**
 * Creates the HTTP server of an app: sockets, bytes that are not HTTP, and draining on shutdown.
 * @param middleware sees each request first; the development server uses it for sources and their updates
 */
export function createHttpServer(
  app: App,
  middleware: Middleware = (_incoming, _outgoing, next) => {
    next();
  },
): HttpServer {
  let closing = false;
  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const exchange = incoming instanceof Incoming ? incoming.exchange : undefined;
      if (!exchange) throw new Error("a request without an exchange");
      const response = await exchange.respond(request);
      // Clients that keep their connection alive would otherwise never leave.
      if (closing && "shouldKeepAlive" in outgoing) outgoing.shouldKeepAlive = false;
      return response;
    },
    { hostname: "localhost" },
  );

  async function handle(incoming: Incoming, outgoing: ServerResponse): Promise<void> {
    const { method = "GET", url = "", headers, httpVersion, socket } = incoming;
    const problem = problemOf(incoming);
    if (problem) {
      const { status, message } = problem;
      const { body, headers: own } = app.malformed(message);
      await refuse(new Response(body, { status, headers: own }), incoming, outgoing);
      return;
    }
    const exchange = app.receive({
      method,
      target: url,
      headers,
      httpVersion,
      remoteAddress: socket.remoteAddress ?? "",
    });
    outgoing.on("close", () => {
      exchange.finish(outgoing.statusCode, { aborted: !outgoing.writableFinished });
    });
    if (exchange.refusal) {
      await refuse(exchange.refusal, incoming, outgoing);
      return;
    }
    incoming.exchange = exchange;
    incoming.url = exchange.path;
    await listener(incoming, outgoing);
  }

  const connections = trackConnections();
  function accept(incoming: Incoming, outgoing: ServerResponse): void {
    connections.begin(incoming, outgoing);
    middleware(incoming, outgoing, () => {
      handle(incoming, outgoing).catch(() => {
        outgoing.destroy();
      });
    });
  }

  const options = {
    IncomingMessage: Incoming,
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    // The app refuses a missing Host, in JSON.
    requireHostHeader: false,
  };
  const server = createServer(options, accept);
  // A server may ignore an expectation that it does not know (RFC 9110 §10.1.1).
  server.on("checkExpectation", accept);
  server.on("connection", connections.opened);
  server.on("clientError", (error, socket) => {
    respondToClientError(app, error, socket).catch(() => socket.destroy());
  });

  async function close(graceMs: number): Promise<void> {
    closing = true;
    const closed = new Promise<void>((resolve) => {
      // http.Server's own close() also drops idle connections, and with them a request that is on its way.
      NetServer.prototype.close.call(server, () => {
        resolve();
      });
    });
    const lingering = setInterval(() => {
      if (connections.isQuiet()) {
        server.closeIdleConnections();
        connections.destroyUnused();
      }
    }, LINGER / 4);
    const forced = setTimeout(() => {
      server.closeAllConnections();
    }, graceMs);
    await closed;
    clearInterval(lingering);
    clearTimeout(forced);
  }

  return {
    server,
    closeAfterResponses: () => {
      closing = true;
    },
    close,
  };
}

/** Counts the requests in progress and remembers the connections that have not sent one yet. */
function trackConnections() {
  // A count, not a set: a long-lived set that changes with each request keeps finished responses in memory.
  let active = 0;
  let lastResponse = performance.now();
  const unused = new Set<Socket>();
  return {
    opened: (socket: Socket): void => {
      unused.add(socket);
      socket.once("close", () => unused.delete(socket));
    },
    begin: (incoming: IncomingMessage, outgoing: ServerResponse): void => {
      unused.delete(incoming.socket);
      active++;
      outgoing.once("close", () => {
        active--;
        lastResponse = performance.now();
      });
    },
    isQuiet: (): boolean => active === 0 && performance.now() - lastResponse >= LINGER,
    /** Node does not count a connection as idle before its first request. */
    destroyUnused: (): void => {
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

/** Returns why a request is refused that Node's parser accepts: proxies in front could understand it otherwise. */
function problemOf({ httpVersion, rawHeaders }: IncomingMessage): { status: number; message: string } | undefined {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") {
    return { status: 505, message: "Only HTTP/1.1 and HTTP/1.0 are supported here." };
  }
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === "host") hosts++;
  return hosts > 1 ? { status: 400, message: "The request has more than one Host header." } : undefined;
}

/** Sends the response to a request whose body is not wanted, and closes the connection. */
async function refuse(response: Response, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  outgoing.shouldKeepAlive = false;
  const body = await response.text();
  const length = { "Content-Length": Buffer.byteLength(body) };
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...length });
  outgoing.write(body);
  // A connection that is closed with much of the request unread is reset, and the client may lose the response.
  const end = (): void => void outgoing.end();
  const waiting = setTimeout(end, READ_ON);
  incoming.once("close", () => {
    clearTimeout(waiting);
  });
  incoming.once("end", end).resume();
}

/** Responds to bytes that are not HTTP with a JSON error. */
async function respondToClientError(app: App, error: Error, socket: Duplex): Promise<void> {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (!socket.writable || code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, message] = CLIENT_ERRORS[code] ?? ["400 Bad Request", "The request is not valid HTTP."];
  const response = app.malformed(message);
  const body = await response.text();
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(
    `HTTP/1.1 ${status}\r\n${headers}Connection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
