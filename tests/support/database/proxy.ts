import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { portOf } from "../http/ports.ts";

/** Bytes of a TCP segment on Ethernet. */
const SEGMENT = 1_448;
/** Milliseconds after which TCP sends a lost segment again; Linux's minimum. */
const RETRANSMISSION = 200;

export interface Link {
  /** milliseconds in each direction */
  delayMs: number;
  /** part of the segments that are lost and sent again */
  loss: number;
}

const PERFECT: Link = { delayMs: 0, loss: 0 };

interface Pair {
  sockets: readonly [Socket, Socket];
  /** nothing arrives any more, and neither end gets to know */
  vanished: boolean;
}

/** A TCP proxy in front of the database, such as a virtual address or HAProxy, and the network in between. */
export class Proxy {
  readonly port: number;
  link = PERFECT;
  #target: { host: string; port: number };
  #mode: "open" | "refusing" | "silent" = "open";
  readonly #pairs = new Set<Pair>();
  /** connections so far, refused ones included */
  connections = 0;
  readonly #server;

  private constructor(server: ReturnType<typeof createServer>, target: { host: string; port: number }) {
    this.#server = server;
    this.#target = target;
    this.port = portOf(server);
    server.on("connection", (socket) => this.#accept(socket));
  }

  static async start(target: { host: string; port: number }): Promise<Proxy> {
    const server = createServer({ noDelay: true }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Proxy(server, target);
  }

  /** Sends new connections to another server. */
  route(target: { host: string; port: number }): void {
    this.#target = target;
  }

  /** Closes all connections, and refuses new ones until `open`. */
  refuse(): void {
    this.#mode = "refusing";
    this.cut();
  }

  /** Forwards nothing, on old and new connections, until `open`. */
  silence(): void {
    this.#mode = "silent";
  }

  open(): void {
    this.#mode = "open";
    this.link = PERFECT;
    for (const { sockets } of this.#pairs) for (const socket of sockets) socket.resume();
  }

  cut(): void {
    for (const { sockets } of this.#pairs) for (const socket of sockets) socket.destroy();
  }

  /** Makes the server behind the open connections disappear without closing them, like a machine that loses power. */
  vanish(): void {
    for (const pair of this.#pairs) {
      pair.vanished = true;
      pair.sockets[1].destroy();
    }
  }

  /** Returns how many connections have lost their server by `vanish` and are still open. */
  get orphans(): number {
    return [...this.#pairs].filter(({ vanished }) => vanished).length;
  }

  async close(): Promise<void> {
    this.cut();
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }

  #accept(client: Socket): void {
    this.connections++;
    if (this.#mode === "refusing") {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ ...this.#target, noDelay: true });
    const pair: Pair = { sockets: [client, server], vanished: false };
    this.#pairs.add(pair);
    this.#forward(client, server, pair);
    this.#forward(server, client, pair);
    client.on("close", () => {
      this.#pairs.delete(pair);
      server.destroy();
    });
    const lost = (): void => {
      if (!pair.vanished) client.destroy();
    };
    server.on("close", lost);
  }

  #forward(from: Socket, to: Socket, pair: Pair): void {
    const due: { at: number; data: Buffer }[] = [];
    let lastAt = 0;
    let timer: NodeJS.Timeout | undefined;
    const flush = (): void => {
      timer = undefined;
      for (let next = due[0]; next; next = due[0]) {
        const wait = this.#mode === "silent" ? 50 : next.at - performance.now();
        if (wait > 0.5) {
          timer = setTimeout(flush, wait);
          return;
        }
        due.shift();
        to.write(next.data);
      }
    };
    from.on("data", (data) => {
      if (pair.vanished) return;
      lastAt = Math.max(lastAt, performance.now() + this.#delayOf(data.length));
      due.push({ at: lastAt, data });
      if (timer === undefined) flush();
    });
    from.on("error", () => undefined);
    from.on("close", () => clearTimeout(timer));
  }

  #delayOf(bytes: number): number {
    const { delayMs, loss } = this.link;
    if (loss === 0) return delayMs;
    const arrives = (1 - loss) ** Math.ceil(bytes / SEGMENT);
    return delayMs + (Math.random() < arrives ? 0 : RETRANSMISSION);
  }
}
