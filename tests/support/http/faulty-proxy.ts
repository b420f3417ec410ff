import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { portOf } from "./ports.ts";

/** A request that a proxy has received. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** What the proxy does with one request instead of forwarding it. */
export type Fault = (response: ServerResponse, forward: () => Promise<Response>) => Promise<void> | void;

/** Responds without forwarding, as a proxy or the service's own limits do. */
export function respond(status: number, headers: Record<string, string> = {}, body = "<h1>Error</h1>"): Fault {
  return (response) => void response.writeHead(status, headers).end(body);
}

/** Closes the connection before the request has arrived. */
export const resetBefore: Fault = (response) => void response.socket?.resetAndDestroy();

/** Closes the connection after the service has carried out the request. */
export const resetAfter: Fault = async (response, forward) => {
  await (await forward()).bytes();
  response.socket?.resetAndDestroy();
};

/** Sends half of the body as if it were whole. */
export const truncate: Fault = async (response, forward) => {
  const forwarded = await forward();
  const body = await forwarded.bytes();
  response.writeHead(forwarded.status, headersOf(forwarded)).end(body.subarray(0, body.length / 2));
};

/** Sends the head and the first byte of the body, and no more. */
export const stallBody: Fault = async (response, forward) => {
  const forwarded = await forward();
  const body = await forwarded.bytes();
  response.writeHead(forwarded.status, headersOf(forwarded)).write(body.subarray(0, 1));
};

/** Never responds, although the service carries out the request. */
export const swallow: Fault = async (_, forward) => {
  await (await forward()).bytes();
};

/** Closes the connection of an event stream in the middle of the event after the first `count` that have data. */
export function cutStream(count: number): Fault {
  return async (response, forward) => {
    const forwarded = await forward();
    response.writeHead(forwarded.status, headersOf(forwarded));
    let text = "";
    for await (const part of forwarded.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      const events = text.split(/(?<=\n\n)/);
      const withData = events.filter((event) => /^data:/m.test(event));
      if (withData.length <= count) continue;
      const last = events.lastIndexOf(withData[count] ?? "");
      const half = events[last]?.slice(0, -10) ?? "";
      response.write(events.slice(0, last).join("") + half, () => response.socket?.resetAndDestroy());
      return;
    }
  };
}

function headersOf(response: Response): Record<string, string> {
  const ofConnection = new Set(["content-length", "content-encoding", "connection", "transfer-encoding"]);
  return Object.fromEntries([...response.headers].filter(([name]) => !ofConnection.has(name)));
}

export interface FaultyProxy {
  url: string;
  /** everything that it has received */
  received: Received[];
  /** Applies one fault to each of the next requests. */
  next: (...faults: Fault[]) => void;
  /** Closes all connections. */
  cut: () => void;
  close: () => Promise<void>;
}

/** Starts a proxy in front of a service that damages requests and responses as networks do. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const received: Received[] = [];
  const faults: Fault[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const { method = "GET", url = "/", headers } = request;
    received.push({ method, path: url, headers, body: body.toString() });
    const left = new AbortController();
    response.on("close", () => left.abort());
    const { host: _, connection: __, "content-length": ___, "transfer-encoding": ____, ...sent } = headers;
    const forward = () =>
      fetch(target + url, {
        method,
        headers: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)])),
        signal: left.signal,
        ...(body.length > 0 ? { body } : {}),
      });
    const fault = faults.shift();
    if (fault) return fault(response, forward);
    const forwarded = await forward();
    response.writeHead(forwarded.status, headersOf(forwarded));
    if (forwarded.body)
      Readable.from(forwarded.body)
        .on("error", () => response.destroy())
        .pipe(response);
    else response.end();
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    received,
    next: (...next) => void faults.push(...next),
    cut: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
