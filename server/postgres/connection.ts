import pg from "pg";
import { isSameFolder } from "./data-folder.ts";
import { errorCode } from "./errors.ts";

/** A server's port on 127.0.0.1 and the superuser's password. */
export interface Address {
  port: number;
  password: string;
}

/** Name of the application's database and of the superuser. */
export const databaseName = "wishlist";

/** The role that owns the application's database and everything in it, and has no other rights. */
const appRole = "wishlist_app";

const undefinedDatabase = "3D000";
const invalidPassword = "28P01";
const connectTimeout = 3000;

/** Returns the URL of the application's database for its owner. */
export function appUrl(port: number, appPassword: string): string {
  return `postgres://${appRole}:${appPassword}@127.0.0.1:${port}/${databaseName}`;
}

/** Returns the URL of the application's database for the superuser. */
export function databaseUrl({ port, password }: Address): string {
  return `postgres://${databaseName}:${password}@127.0.0.1:${port}/${databaseName}`;
}

/** What a server on a cluster's port is to it. */
export type ServerState = "ready" | "no database" | "refused" | "other cluster" | "unreachable";

/**
 * Checks whether the server at this address responds and runs `cluster`. SCRAM proves that the server knows the password;
 * its folder is compared as well, because a copied cluster has the same password.
 * @returns "no database" when the server lacks the application's database, "refused" when it refuses the password, "other cluster" when it runs
 *   another one, "unreachable" when none responds: a busy one may respond later
 */
export async function checkServer(address: Address, cluster: string): Promise<ServerState> {
  const runsCluster = async (database: string): Promise<boolean> =>
    isSameFolder(await withClient(address, database, (client) => showFolder(client)), cluster);
  try {
    return (await runsCluster(databaseName)) ? "ready" : "other cluster";
  } catch (error) {
    if (errorCode(error) !== undefinedDatabase) return stateAfter(error);
  }
  try {
    return (await runsCluster("postgres")) ? "no database" : "other cluster";
  } catch (error) {
    return stateAfter(error);
  }
}

function stateAfter(error: unknown): ServerState {
  return errorCode(error) === invalidPassword ? "refused" : "unreachable";
}

/** Creates the application's database. Only the data folder's owner may call it. */
export async function createAppDatabase(address: Address): Promise<void> {
  await withClient(address, "postgres", (client) => client.query(`CREATE DATABASE ${databaseName}`));
}

/** Checks whether the application's role exists and has this password. */
export async function canAppConnect(port: number, appPassword: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: appUrl(port, appPassword),
    connectionTimeoutMillis: connectTimeout,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Creates the application's role and makes it the owner of its database, in which nothing has been created yet. Only the data folder's owner may call it.
 */
export async function ensureAppRole(address: Address, appPassword: string): Promise<void> {
  await withClient(address, databaseName, async (client) => {
    await client.query("BEGIN");
    const { rows } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [appRole]);
    const options = `LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD '${appPassword}'`;
    await client.query(`${rows.length > 0 ? "ALTER" : "CREATE"} ROLE ${appRole} ${options}`);
    await client.query(`ALTER DATABASE ${databaseName} OWNER TO ${appRole}`);
    await client.query("COMMIT");
  });
}

async function showFolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ folder: string }>("SELECT current_setting('data_directory') AS folder");
  return rows[0]?.folder ?? "";
}

async function withClient<T>(address: Address, database: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    host: "127.0.0.1",
    port: address.port,
    user: databaseName,
    password: address.password,
    database,
    ssl: false,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: 10 * connectTimeout,
  });
  // A lost connection is reported both here and to the pending query.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
