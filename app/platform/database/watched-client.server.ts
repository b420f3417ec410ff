import { connect, Socket } from "node:net";
import pg from "pg";

/** Milliseconds for sending a request to cancel. */
const CANCEL_TIMEOUT = 5_000;
/** Identifies a cancel request (PostgreSQL manual, "Message Formats"). */
const CANCEL_REQUEST = 80_877_102;

function timeoutError(message: string): Error {
  return Object.assign(new Error(message), { code: "ETIMEDOUT" });
}

/** Returns a number that pg has on its clients, but not in its types. */
function numberOf(client: pg.Client, property: "processID" | "secretKey"): number | undefined {
  const value: unknown = Reflect.get(client, property);
  return typeof value === "number" ? value : undefined;
}

/** Why the process closes a connection itself: PostgreSQL was silent while it was in use, or its server process is gone. */
export type Loss = "silent" | "gone";

const connected = new Set<WatchedClient>();

/**
 * A connection that closes when PostgreSQL is silent for too long while the connection is in use. PostgreSQL's own time limits need a
 * PostgreSQL that runs: they end neither a statement on a suspended or vanished server nor a commit that waits for a lost standby.
 */
export abstract class WatchedClient extends pg.Client {
  /** whether work holds the connection; the pool says so */
  inUse = false;
  /** set when the process has closed the connection itself */
  loss: Loss | undefined;
  onLoss: (loss: Loss) => void = () => undefined;
  readonly #socket: Socket;

  /** @param silenceMs milliseconds without a byte in either direction */
  constructor(config: pg.ClientConfig | undefined, silenceMs: number) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.#socket = socket;
    // TLS runs over this socket and restarts its timer as well.
    socket.setTimeout(silenceMs);
    // Each byte starts the time again, also after it was up on an idle connection.
    socket.on("timeout", () => {
      if (!this.inUse) return;
      this.#cancel();
      this.destroy("silent", "PostgreSQL did not respond in time");
    });
    this.once("connect", () => connected.add(this));
    socket.once("close", () => connected.delete(this));
  }

  get processId(): number | undefined {
    return numberOf(this, "processID");
  }

  /** Closes the connection at once. A running statement fails. */
  destroy(loss: Loss, reason: string): void {
    this.loss = loss;
    this.onLoss(loss);
    this.#socket.destroy(timeoutError(reason));
  }

  /** Asks PostgreSQL to end the statement, because a server process that waits does not notice that its client has gone. */
  #cancel(): void {
    const secretKey = numberOf(this, "secretKey");
    if (this.processId === undefined || secretKey === undefined) return;
    const message = Buffer.alloc(16);
    [message.length, CANCEL_REQUEST, this.processId, secretKey].forEach((value, index) => {
      message.writeInt32BE(value, index * 4);
    });
    const { host, port } = this;
    const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    socket.setTimeout(CANCEL_TIMEOUT, () => socket.destroy());
    // Without the request the statement ends by itself, or with the server.
    socket.on("error", () => undefined);
    socket.end(message);
    socket.unref();
  }
}

/** Returns the class of a pool's connections. `pool.on("acquire")` and `pool.on("release")` have to set `inUse`. */
export function watchedBy(silenceMs: number): new (config?: pg.ClientConfig) => WatchedClient {
  return class extends WatchedClient {
    constructor(config?: pg.ClientConfig) {
      super(config, silenceMs);
    }
  };
}

/**
 * Closes the connections whose server process does not exist. After a fail-over, connections to a machine that has vanished stay silent
 * instead of being closed.
 * @param current a new connection to the server
 */
export async function closeLostConnections(current: pg.Client): Promise<void> {
  const before = [...connected];
  const { rows } = await current.query<{ own: number; pids: number[] }>(
    "SELECT pg_backend_pid() AS own, array(SELECT pid FROM pg_stat_activity WHERE pid = ANY ($1)) AS pids",
    [before.map(({ processId }) => processId ?? 0)],
  );
  const [row] = rows;
  // A pooler in between gives its own process ids.
  if (!row || row.own !== numberOf(current, "processID")) return;
  const existing = new Set(row.pids);
  for (const client of before) {
    if (!existing.has(client.processId ?? 0)) client.destroy("gone", "the database server of this connection is gone");
  }
}
