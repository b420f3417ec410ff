import pg from "pg";
import { sameFolder } from "./data-folder.ts";
import { errorCode } from "./errors.ts";

/** A server's place on 127.0.0.1 and the application's password there. */
export interface Address {
  port: number;
  password: string;
}

/** The application's user, who owns everything, and its database. */
export const databaseName = "wishlist";

const undefinedDatabase = "3D000";
const connectWithin = 3000;

/** The URL of the application's database. */
export function databaseUrl({ port, password }: Address): string {
  return `postgres://${databaseName}:${password}@127.0.0.1:${port}/${databaseName}`;
}

/**
 * Does the server at this address answer, and is it the one that runs `cluster`? It proves it knows the password (SCRAM
 * convinces both sides) and names its folder (a copied cluster has the same password).
 * @returns "ready", "no database" (answers, but the application's database is not made yet), "no" (nobody or another one)
 */
export async function ask(address: Address, cluster: string): Promise<"ready" | "no database" | "no"> {
  try {
    const folder = await withClient(address, databaseName, (client) => showFolder(client));
    return (await sameFolder(folder, cluster)) ? "ready" : "no";
  } catch (error) {
    if (errorCode(error) !== undefinedDatabase) return "no";
  }
  try {
    const folder = await withClient(address, "postgres", (client) => showFolder(client));
    return (await sameFolder(folder, cluster)) ? "no database" : "no";
  } catch {
    return "no";
  }
}

/** Makes the application's database. Only the data folder's owner may call it. */
export async function makeDatabase(address: Address): Promise<void> {
  await withClient(address, "postgres", (client) => client.query(`CREATE DATABASE ${databaseName}`));
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
    connectionTimeoutMillis: connectWithin,
    query_timeout: 10 * connectWithin,
  });
  // A server that stops while connected reports it here as well as to the query.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
