import pg from "pg";
import { sameFolder } from "./data-folder.ts";
import { errorCode } from "./errors.ts";

/** A server's place on 127.0.0.1 and the superuser's password there. */
export interface Address {
  port: number;
  password: string;
}

/** The superuser, who maintains the server, and the application's database. */
export const databaseName = "wishlist";

/** The role that owns the application's database and everything in it, and may do nothing else. */
const appRole = "wishlist_app";

const undefinedDatabase = "3D000";
const connectWithin = 3000;

/** The URL of the application's database for its owner. */
export function appUrl(port: number, appPassword: string): string {
  return `postgres://${appRole}:${appPassword}@127.0.0.1:${port}/${databaseName}`;
}

/** The URL of the application's database for the superuser. */
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

/** Does the application's role exist, with this password? */
export async function acceptsApp(port: number, appPassword: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: appUrl(port, appPassword), connectionTimeoutMillis: connectWithin });
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

// Everything in the database that the superuser has made, by a version that had no other role. REASSIGN OWNED refuses the superuser that
// initdb made. Sequences, indexes and row types follow their tables.
const TAKE_OVER = `
  DO $$ DECLARE o record; BEGIN
    FOR o IN
      SELECT format('SCHEMA %I', nspname) AS thing FROM pg_namespace
       WHERE nspowner = '${databaseName}'::regrole AND nspname !~ '^pg_' AND nspname <> 'information_schema'
      UNION ALL
      SELECT format('%s %I.%I', CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
                    n.nspname, c.relname)
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relowner = '${databaseName}'::regrole AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
         AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
         AND NOT EXISTS (SELECT 1 FROM pg_depend d
                          WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i') AND c.relkind = 'S')
      UNION ALL
      SELECT format('ROUTINE %s', p.oid::regprocedure) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE p.proowner = '${databaseName}'::regrole AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      UNION ALL
      SELECT format('TYPE %I.%I', n.nspname, t.typname) FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
       WHERE t.typowner = '${databaseName}'::regrole AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
         AND t.typtype IN ('e', 'd', 'r')
    LOOP
      EXECUTE 'ALTER ' || o.thing || ' OWNER TO ${appRole}';
    END LOOP;
  END $$`;

/**
 * Makes the application's role the owner of its database and of everything in it: the first time, and for a database that an earlier version
 * made. Nothing is left to do at later starts. Only the data folder's owner may call it.
 */
export async function provideAppRole(address: Address, appPassword: string): Promise<void> {
  await withClient(address, databaseName, async (client) => {
    await client.query("BEGIN");
    const { rows } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [appRole]);
    const options = `LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD '${appPassword}'`;
    await client.query(`${rows.length > 0 ? "ALTER" : "CREATE"} ROLE ${appRole} ${options}`);
    await client.query(`ALTER DATABASE ${databaseName} OWNER TO ${appRole}`);
    await client.query(TAKE_OVER);
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
