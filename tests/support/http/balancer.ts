import { once } from "node:events";
import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds between two health checks of a backend. */
const CHECK_INTERVAL = 250;

/**
 * A load balancer like those of production: round robin over the backends that are ready. Half of the requests use connections that are kept
 * alive, and half open a new one.
 */
export interface Balancer {
  url: string;
  /** Adds a backend. It gets requests once it is ready. */
  add: (url: string) => void;
  /** URLs of the backends that get requests now */
  ready: () => string[];
  close: () => Promise<void>;
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status === 200;
}

/** Forwards a request. A backend that cuts the connection gets the client a 502: nothing is sent twice. */
function forward(to: string, agent: Agent | false, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url = "", headers } = incoming;
  const connection = agent === false ? "close" : "keep-alive";
  const onward = request(new URL(url, to), { method, headers: { ...headers, connection }, agent });
  onward.once("response", (response) => {
    // Both are of one connection: with the backend's time-out, the client would use connections that this server has closed.
    const { connection: _connection, "keep-alive": _timeout, ...others } = response.headers;
    outgoing.writeHead(response.statusCode ?? 502, others);
    response.pipe(outgoing);
  });
  onward.once("error", (error) => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end(error.message);
  });
  incoming.pipe(onward);
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the balancer has no port");
  return `http://127.0.0.1:${address.port}`;
}

export async function startBalancer(): Promise<Balancer> {
  const backends = new Map<string, boolean>();
  const agent = new Agent({ keepAlive: true });
  const closing = new AbortController();
  let turn = 0;
  const ready = (): string[] => [...backends].flatMap(([url, isUp]) => (isUp ? [url] : []));
  const server = createServer((incoming, outgoing) => {
    const candidates = ready();
    const to = candidates[turn % candidates.length];
    // Changes after each round, so that every backend gets both.
    const keepsAlive = Math.floor(turn / candidates.length) % 2 === 0;
    turn++;
    if (to === undefined) outgoing.writeHead(502).end("no backend is ready");
    else forward(to, keepsAlive ? agent : false, incoming, outgoing);
  });
  const url = await listen(server);
  async function check(backend: string): Promise<void> {
    while (!closing.signal.aborted) {
      backends.set(backend, await isReady(backend));
      await pause(CHECK_INTERVAL, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }
  return {
    url,
    add: (backend) => {
      backends.set(backend, false);
      void check(backend);
    },
    ready,
    close: async () => {
      closing.abort();
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
