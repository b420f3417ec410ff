import { Socket } from "node:net";
import pg from "pg";

/** Milliseconds after which a database that does not respond counts as unreachable. */
const CONNECT_TIMEOUT = 10_000;

export interface Connection {
  client: pg.Client;
  /** Ends the connection. PostgreSQL rolls an open transaction back, also in the middle of a COPY. */
  close: () => Promise<void>;
}

/** Settings on which the text of values depends, and no time limits: a large table takes long. */
const SESSION = `
  SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET timezone = 'UTC'; SET extra_float_digits = 3;
  SET bytea_output = 'hex'; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`;

/** Connects to the database for a command that may take long, whatever its role's settings are. */
export async function connect(databaseUrl: string, purpose: string): Promise<Connection> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: `wishlist ${purpose}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    stream: () => socket,
  });
  // A lost connection is reported both here and to the pending statement.
  client.on("error", () => undefined);
  await client.connect();
  const close = async (): Promise<void> => {
    // Not `client.end()`, which waits for a statement in progress.
    if (socket.closed) return;
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.destroy();
    await closed;
  };
  try {
    await client.query(SESSION);
  } catch (error) {
    await close();
    throw error;
  }
  return { client, close };
}

/** The service's processes name their connections so. */
const CONNECTIONS = `
  SELECT DISTINCT application_name AS name FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name ~ '^wishlist( |$)' ORDER BY 1`;

/** Returns the names of the service's other connections, in quotation marks. */
export async function serviceConnections(client: pg.Client): Promise<string[]> {
  return (await client.query<{ name: string }>(CONNECTIONS)).rows.map(({ name }) => `"${name}"`);
}
