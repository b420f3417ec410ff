import pg from "pg";
import { env } from "../process/env.server.ts";
import { onShutdown } from "../process/lifecycle.server.ts";
import { log } from "../log/log.server.ts";
import { counter, gauge } from "../metrics/metrics.server.ts";
import { closeLostConnections } from "./watched-client.server.ts";

const RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT = 5_000;
/** Milliseconds between two checks that the connection still exists: a network or machine that fails does not close it. */
const PING_MS = 2_000;
/** Milliseconds within which PostgreSQL must respond to a check. */
const PING_TIMEOUT = 3_000;

/** Receives the notifications of a PostgreSQL channel (NOTIFY). */
interface Listener {
  onMessage: (payload: string) => void;
  /** Called after each connect. Notifications from before were missed. */
  onConnect?: () => void;
}

let isConnected = false;
gauge("notifications_connected", "1 while the process receives notifications of other processes", undefined, () => [
  { labels: {}, value: isConnected ? 1 : 0 },
]);

const lostConnections = counter(
  "notifications_connections_lost_total",
  "Times that the connection for notifications was lost after it had been open",
);

const listeners = new Map<string, Listener>();

/** To be called before `startListening`. */
export function onNotification(channel: string, listener: Listener): void {
  listeners.set(channel, listener);
}

/** Ends a connection on which PostgreSQL does not respond. */
function keepChecking(client: pg.Client): void {
  let pending = false;
  const check = setInterval(() => {
    if (pending) return;
    pending = true;
    const overdue = setTimeout(() => {
      // With a statement in progress, this closes the connection at once.
      void client.end();
    }, PING_TIMEOUT);
    client
      .query("SELECT 1")
      .catch(() => undefined)
      .finally(() => {
        pending = false;
        clearTimeout(overdue);
      });
  }, PING_MS).unref();
  client.once("end", () => {
    clearInterval(check);
  });
}

/** Listens for notifications of other processes, on one connection for all channels, which reconnects when it is lost. */
export async function startListening(): Promise<void> {
  const { databaseUrl, role } = env();
  let stopped = false;
  let listening: pg.Client | undefined;
  let reconnecting: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: databaseUrl,
      // `wishlist status` counts processes by this name.
      application_name: role === "all" ? "wishlist listen" : `wishlist listen ${role}`,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
    });
    client.on("notification", ({ channel, payload = "" }) => {
      listeners.get(channel)?.onMessage(payload);
    });
    client.on("error", () => {
      // "end" follows
    });
    try {
      await client.connect();
      for (const channel of listeners.keys()) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    // Registered only after success, because a failed attempt schedules the next attempt itself.
    client.once("end", () => {
      isConnected = false;
      if (!stopped) lostConnections.inc({});
      connectAgain();
    });
    isConnected = true;
    listening = client;
    keepChecking(client);
    await closeLostConnections(client).catch(() => undefined);
    for (const { onConnect } of listeners.values()) onConnect?.();
  };
  const tryToConnect = async (): Promise<void> => {
    try {
      await connect();
    } catch (error) {
      log.warn({ err: error }, "can't listen for notifications; polling continues");
      connectAgain();
    }
  };
  const connectAgain = (): void => {
    if (!stopped) reconnecting = setTimeout(() => void tryToConnect(), RECONNECT_MS);
  };

  await tryToConnect();
  onShutdown("notifications", async () => {
    stopped = true;
    clearTimeout(reconnecting);
    await listening?.end();
  });
}
