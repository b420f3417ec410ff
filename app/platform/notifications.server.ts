import pg from "pg";
import { env } from "./env.server.ts";
import { onShutdown } from "./lifecycle.server.ts";
import { log } from "./log.server.ts";

const RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT = 5_000;

/** Who wants to hear what is announced on a channel of PostgreSQL (NOTIFY). */
interface Listener {
  onMessage: (payload: string) => void;
  /** A connection stands, the first or one after a break: what was announced before was not heard. */
  onConnect?: () => void;
}

const listeners = new Map<string, Listener>();

/** To be called before `startListening`. */
export function onNotification(channel: string, listener: Listener): void {
  listeners.set(channel, listener);
}

/** Begins to hear of what other processes announce, on one connection for all channels, which is made anew whenever it breaks. */
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
    // Only a connection that stood is followed by another for its end; an attempt that failed, by the next attempt.
    client.once("end", connectAgain);
    listening = client;
    for (const { onConnect } of listeners.values()) onConnect?.();
  };
  const tryToConnect = async (): Promise<void> => {
    try {
      await connect();
    } catch (error) {
      log.warn({ err: error }, "can't listen for what other processes announce; polling goes on");
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
