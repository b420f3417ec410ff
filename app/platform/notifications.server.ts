import pg from "pg";
import { env } from "./env.server.ts";
import { onShutdown } from "./lifecycle.server.ts";
import { log } from "./log.server.ts";

const RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT = 5_000;

/** Receives the notifications of a PostgreSQL channel (NOTIFY). */
interface Listener {
  onMessage: (payload: string) => void;
  /** Called after each connect. Notifications from before were missed. */
  onConnect?: () => void;
}

const listeners = new Map<string, Listener>();

/** To be called before `startListening`. */
export function onNotification(channel: string, listener: Listener): void {
  listeners.set(channel, listener);
}

/** Listens for notifications of other processes, on one connection for all channels, which reconnects when it is lost. */
export async function startListening(): Promise<void> {
  let stopped = false;
  let listening: pg.Client | undefined;
  let reconnecting: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: env().databaseUrl,
      application_name: "wishlist listen",
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
    client.once("end", connectAgain);
    listening = client;
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
