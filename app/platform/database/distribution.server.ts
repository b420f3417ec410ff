import type pg from "pg";
import { alignSequences, hasUnalignedSequences } from "./distributed-sequences.server.ts";

// A database that Citus distributes over several PostgreSQL servers, the nodes. A shop's rows are together on one node, so that each statement of a
// request and each SQL function runs on that node as a whole. Processes connect to the coordinator. See docs/citus.md.

/** Tables that every node has as a whole, because statements about a shop read them. */
const REFERENCE_TABLES = ["shop", "api_key", "session"];

/** Tables of the service's own schedules, which are small and looked up over all shops. They stay on the coordinator, like those without shops. */
const COORDINATOR_TABLES = ["shop_maintenance"];

/** The distributed table with which the others are colocated. */
const FIRST_TABLE = "wishlist";

/** A step of a distribution, which may take long. */
export interface DistributionStep {
  /** such as "distribute wishlist_item" */
  title: string;
  run: () => Promise<void>;
  /** whether a change that the service makes meanwhile could be lost */
  needsStop: boolean;
}

const ONLY_CITUS = "SELECT 1 FROM pg_extension WHERE extname = 'citus'";

/** Settings of a session that changes the schema. A worker needs the triggers of `shop` and `api_key` for its copies. */
const SETTINGS = `
  SET citus.enable_unsafe_triggers = on;
  SET citus.multi_shard_modify_mode = 'sequential';
  SET client_min_messages = warning`;

/** Foreign keys of tables that are not distributed yet. They are kept here meanwhile, so that an interrupted distribution loses none. */
const KEPT_KEYS = "_distribution_foreign_keys";

const STATE = `
  SELECT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass('wishlist') AND partmethod = 'h') AS distributed,
         to_regclass('${KEPT_KEYS}') IS NOT NULL AS begun,
         EXISTS (SELECT 1 FROM pg_dist_node WHERE noderole = 'primary' AND isactive AND shouldhaveshards AND groupid <> 0) AS "hasWorkers"`;

export interface DistributionState {
  /** whether the wishlists are distributed */
  distributed: boolean;
  /** whether a distribution has begun and not ended */
  begun: boolean;
  /** whether the coordinator knows workers that can hold shards */
  hasWorkers: boolean;
}

/** Reads whether the database is distributed. @returns undefined without the Citus extension */
export async function distributionState(client: pg.Client): Promise<DistributionState | undefined> {
  const { rows: extension } = await client.query(ONLY_CITUS);
  if (extension.length === 0) return undefined;
  return (await client.query<DistributionState>(STATE)).rows[0];
}

/** Prepares a session to change the schema of a database with Citus. */
export async function prepareDistributedSession(client: pg.Client): Promise<void> {
  await client.query(SETTINGS);
}

const CREATE_KEPT_KEYS = `
  CREATE TABLE IF NOT EXISTS ${KEPT_KEYS} (table_name text, name text, definition text, PRIMARY KEY (table_name, name))`;

/** Records that a distribution has begun, before the database has tables. */
export async function beginDistribution(client: pg.Client): Promise<void> {
  await client.query(CREATE_KEPT_KEYS);
}

const UNDISTRIBUTED = `
  SELECT c.relname AS name, c.relname = ANY ($1::text[]) AS reference
    FROM pg_class c
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
     AND c.relname <> ALL ($3::text[])
     AND (c.relname = ANY ($1::text[])
          OR EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'shop_id' AND NOT a.attisdropped))
     AND NOT EXISTS (SELECT 1 FROM pg_dist_partition p
                      WHERE p.logicalrelid = c.oid AND (p.partmethod = 'h' OR (p.partmethod = 'n' AND p.repmodel = 't')))
   ORDER BY c.relname <> ALL ($1::text[]), c.relname <> $2, c.relname`;

// Foreign keys must go first: Citus would convert the tables that they connect together, and silently drop the functions that return rows of them.
const KEEP_KEYS = `
  INSERT INTO ${KEPT_KEYS} (table_name, name, definition)
  SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
   WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
     AND (conrelid = ANY ($1::regclass[]) OR confrelid = ANY ($1::regclass[]))
  RETURNING table_name, name`;

const LEFT_BEHIND = `
  SELECT p.logicalrelid::text AS name FROM pg_dist_partition p
   WHERE (p.partmethod = 'h' OR p.repmodel = 't') AND pg_relation_size(p.logicalrelid::oid) > 0 ORDER BY 1`;

// Every node needs all functions. One whose first parameter is the shop's id only touches rows of that shop: its calls are delegated.
const UNDELEGATED = `
  SELECT f.signature, f.delegated
    FROM (SELECT p.oid, p.proname, p.oid::regprocedure::text AS signature, coalesce(p.proargnames[1] = 'p_shop_id', false) AS delegated
            FROM pg_proc p
           WHERE p.pronamespace = current_schema()::regnamespace
             AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')) AS f
   WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_dist_object o
                      WHERE o.classid = 'pg_proc'::regclass AND o.objid = f.oid
                        AND (NOT f.delegated OR o.distribution_argument_index = 0))
   ORDER BY f.delegated, f.proname`;

/**
 * Lists what is left to do until every table and function of the database is where it belongs. Each step is a transaction of its own, so that an
 * interrupted distribution is continued. A new distribution has as many shards as the setting `citus.shard_count` says.
 */
export async function distributionSteps(client: pg.Client): Promise<DistributionStep[]> {
  const { rows: tables } = await client.query<{ name: string; reference: boolean }>(UNDISTRIBUTED, [
    REFERENCE_TABLES,
    FIRST_TABLE,
    COORDINATOR_TABLES,
  ]);
  const steps: DistributionStep[] = [];
  const needsStop = tables.length > 0;
  const step = (title: string, run: () => Promise<void>): void => void steps.push({ title, run, needsStop });

  if (tables.length > 0) {
    step("set foreign keys aside", () =>
      keepForeignKeys(
        client,
        tables.map(({ name }) => name),
      ),
    );
  }
  for (const { name, reference } of tables) {
    step(reference ? `copy ${name} to every node` : `distribute ${name}`, async () => {
      await inTransaction(client, async () => {
        if (reference) await client.query("SELECT create_reference_table($1)", [name]);
        else {
          const colocated = name === FIRST_TABLE ? "none" : FIRST_TABLE;
          await client.query("SELECT create_distributed_table($1, 'shop_id', colocate_with => $2)", [name, colocated]);
        }
      });
    });
  }
  const { rows: kept } = await client.query<{ exists: boolean }>("SELECT to_regclass($1) IS NOT NULL AS exists", [
    KEPT_KEYS,
  ]);
  if (tables.length > 0 || kept[0]?.exists === true) {
    step("add foreign keys", () => returnForeignKeys(client));
  }
  if (tables.length > 0 || (await rowsLeftBehind(client)).length > 0) {
    step("remove the coordinator's rows, which are on the nodes now", async () => {
      for (const name of await rowsLeftBehind(client)) {
        await client.query("SELECT truncate_local_data_after_distributing_table($1)", [name]);
      }
    });
  }
  const { rows: functions } = await client.query<{ signature: string; delegated: boolean }>(UNDELEGATED);
  if (functions.length > 0) {
    step("delegate functions to the nodes", async () => {
      for (const { signature, delegated } of functions) {
        if (!delegated) await client.query("SELECT create_distributed_function($1::regprocedure)", [signature]);
        else {
          await client.query(
            "SELECT create_distributed_function($1::regprocedure, 'p_shop_id', colocate_with => $2, force_delegation => true)",
            [signature, FIRST_TABLE],
          );
        }
      }
    });
  }
  if (tables.length > 0 || (await hasUnalignedSequences(client))) {
    step("align the ids of the nodes", () => alignSequences(client));
  }
  return steps;
}

async function rowsLeftBehind(client: pg.Client): Promise<string[]> {
  return (await client.query<{ name: string }>(LEFT_BEHIND)).rows.map(({ name }) => name);
}

async function keepForeignKeys(client: pg.Client, tables: readonly string[]): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(CREATE_KEPT_KEYS);
    const { rows } = await client.query<{ table_name: string; name: string }>(KEEP_KEYS, [tables]);
    for (const { table_name, name } of rows) {
      await client.query(`ALTER TABLE ${table_name} DROP CONSTRAINT ${client.escapeIdentifier(name)}`);
    }
  });
}

async function returnForeignKeys(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table_name: string; name: string; definition: string }>(
    `SELECT table_name, name, definition FROM ${KEPT_KEYS} ORDER BY definition NOT LIKE '%REFERENCES shop(%', table_name, name`,
  );
  for (const { table_name, name, definition } of rows) {
    await inTransaction(client, async () => {
      // Citus refuses it, and no shop's id ever changes.
      const supported = definition.replace(" ON UPDATE CASCADE", "");
      await client.query(`ALTER TABLE ${table_name} ADD CONSTRAINT ${client.escapeIdentifier(name)} ${supported}`);
      await client.query(`DELETE FROM ${KEPT_KEYS} WHERE table_name = $1 AND name = $2`, [table_name, name]);
    });
  }
  await client.query(`DROP TABLE ${KEPT_KEYS}`);
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query("BEGIN");
  try {
    await work();
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}
