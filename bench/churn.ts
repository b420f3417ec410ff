// `node bench/churn.ts`: whether log-like tables stay as small as their rows under changes and retention. It compresses time: each step makes
// changes through the SQL functions, the outbox and the recording of deliveries, moves the clock by twenty days and runs retention.
// Autovacuum is off; after each quarter of a step a table is vacuumed when its settings say so, with fixed thresholds reduced in proportion to
// the changes, so that the result does not depend on the machine's speed. Prints a line for each window of 400 days.
//   --changes <n>    changes per step (10,000), in place of 20 days of 500,000
//   --windows <n>    windows of 400 days (4)
//   --before         with the table settings of the first release instead of the current ones
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Client } from "pg";
import { closeDatabase } from "../app/platform/database/database.server.ts";
import { provideSettings } from "../app/platform/process/env.server.ts";
import { migrate } from "../app/platform/database/migrations.server.ts";
import { SCHEMA } from "../server/migrations.ts";
import { openDatabase } from "../server/postgres/database.ts";
import {
  costOfDeadRows,
  prepareChurn,
  runStep,
  STEP_DAYS,
  STEPS_PER_WINDOW,
  TABLES,
  type Costs,
} from "./data/churn.ts";
import { provideShop, withClient } from "./data/dataset.ts";
import { isEnding, onEnd, runProgram, say } from "./lifetime.ts";
import { spreadOf } from "./measure/spread.ts";

/** The assumed load, to which thresholds are reduced and sizes extrapolated. */
const CHANGES_PER_DAY = 500_000;
/** Growth from the second window to the last that counts as flat. */
const FLAT = 1.1;

const given = parseArgs({
  options: {
    changes: { type: "string", default: "10000" },
    windows: { type: "string", default: "4" },
    before: { type: "boolean", default: false },
  },
}).values;
const [changes, windows] = [Number(given.changes), Number(given.windows)];
/** How much smaller the tables are than under the assumed load. */
const reduction = (CHANGES_PER_DAY * STEP_DAYS) / changes;

/** The table settings of the first release. */
async function restoreSettings(client: Client): Promise<void> {
  const { rows } = await client.query<{ reset: string }>(
    `SELECT format('ALTER TABLE %I RESET (%s)', relname, string_agg(split_part(o, '=', 1), ', ')) AS reset
       FROM pg_class, unnest(reloptions) AS o WHERE relname = ANY ($1) AND o NOT LIKE 'fillfactor%' GROUP BY relname`,
    [TABLES],
  );
  for (const { reset } of rows) await client.query(reset);
  await client.query(
    "ALTER TABLE activity SET (autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_vacuum_scale_factor = 0.02)",
  );
}

interface Vacuums {
  count: number;
  ms: number;
}

/** Vacuums the tables whose dead rows exceed what autovacuum would tolerate. */
async function vacuumDue(client: Client, done: Map<string, Vacuums>): Promise<void> {
  for (const table of TABLES) {
    const { rows } = await client.query<{ due: boolean }>(
      `SELECT s.dead_tuple_count > coalesce(o.threshold, 50) / $2::float8 + coalesce(o.factor, 0.2) * greatest(c.reltuples, 0) AS due
         FROM pg_class c
        CROSS JOIN LATERAL (SELECT (max(split_part(e, '=', 2)) FILTER (WHERE e LIKE 'autovacuum_vacuum_threshold=%'))::float8 AS threshold,
                                   (max(split_part(e, '=', 2)) FILTER (WHERE e LIKE 'autovacuum_vacuum_scale_factor=%'))::float8 AS factor
                              FROM unnest(c.reloptions) AS e) AS o
        CROSS JOIN LATERAL pgstattuple_approx(c.oid) AS s
        WHERE c.relname = $1`,
      [table, reduction],
    );
    if (rows[0]?.due !== true) continue;
    const started = performance.now();
    await client.query(`VACUUM (ANALYZE) ${table}`);
    const vacuums = done.get(table) ?? { count: 0, ms: 0 };
    done.set(table, { count: vacuums.count + 1, ms: vacuums.ms + performance.now() - started });
  }
}

interface Size {
  table: string;
  heap: number;
  indexes: number;
  rows: number;
  dead: number;
  free: number;
}

async function readSizes(client: Client): Promise<Size[]> {
  const { rows } = await client.query<Size>(
    `SELECT c.relname AS table, pg_relation_size(c.oid) / 1e6::float8 AS heap, pg_indexes_size(c.oid) / 1e6::float8 AS indexes,
            s.tuple_count::float8 AS rows, s.dead_tuple_percent AS dead, s.free_percent AS free
       FROM unnest($1::text[]) WITH ORDINALITY AS t (name, place) JOIN pg_class c ON c.oid = t.name::regclass
      CROSS JOIN LATERAL pgstattuple(c.oid) AS s ORDER BY t.place`,
    [TABLES],
  );
  return rows;
}

function mb(value: number): string {
  return value.toFixed(1);
}

function printWindow(
  window: number,
  sizes: readonly Size[],
  times: readonly Costs[],
  vacuums: Map<string, Vacuums>,
): void {
  const worst = (of: keyof Costs, digits: number): string => {
    const { median, max } = spreadOf(times.map((step) => step[of]));
    return `${median.toFixed(digits)} (${max.toFixed(digits)})`;
  };
  process.stdout.write(
    `\nWindow ${window} of ${windows}: the outbox's poll looks at ${worst("pollPages", 0)} pages and takes ${worst("poll", 2)} ms, ` +
      `a look for due deliveries at ${worst("duePages", 0)} pages; outbox ${worst("process", 2)} ms per change, report ${worst("report", 1)} ms: medians (max)\n\n` +
      "| table | rows | heap MB | indexes MB | dead | free | vacuums, ms |\n| --- | --- | --- | --- | --- | --- | --- |\n",
  );
  for (const { table, heap, indexes, rows, dead, free } of sizes) {
    const { count, ms } = vacuums.get(table) ?? { count: 0, ms: 0 };
    const fields = [
      table,
      rows.toLocaleString("en"),
      mb(heap),
      mb(indexes),
      `${dead.toFixed(1)} %`,
      `${free.toFixed(1)} %`,
    ];
    process.stdout.write(`| ${[...fields, `${count}, ${ms.toFixed(0)}`].join(" | ")} |\n`);
  }
  const bytes = sizes.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0);
  process.stdout.write(
    `\nTogether ${mb(bytes)} MB; at ${CHANGES_PER_DAY.toLocaleString("en")} changes a day ${((bytes * reduction) / 1_000).toFixed(0)} GB\n`,
  );
}

/** Rows of activity, and dead ones among them: what the thresholds before and now tolerate, and a share that a vacuum finds too small. */
const DEAD_ROWS = [
  { rows: 0, dead: 2_000_000 },
  { rows: 2_000_000, dead: 100_000 },
  { rows: 4_000_000, dead: 30_000 },
];

async function printDeadRows(client: Client, shopId: number): Promise<void> {
  process.stdout.write(
    "\n| processed rows | dead rows | the poll's pages | ms | after a vacuum | after one that cleans indexes | its ms |\n| --- | --- | --- | --- | --- | --- | --- |\n",
  );
  for (const { rows, dead } of DEAD_ROWS) {
    const { pages, ms, vacuumMs, pagesAfter } = await costOfDeadRows(client, shopId, rows, dead);
    const fields = [
      rows.toLocaleString("en"),
      dead.toLocaleString("en"),
      pages,
      ms.toFixed(2),
      pagesAfter.auto,
      pagesAfter.cleaned,
      vacuumMs.toFixed(0),
    ];
    process.stdout.write(`| ${fields.join(" | ")} |\n`);
  }
}

async function churn(): Promise<boolean> {
  const database = await openDatabase({
    dataDir: fileURLToPath(new URL("../.data/churn", import.meta.url)),
    role: "server",
    label: "churn",
    onProgress: say,
    settings: { autovacuum: "off", fsync: "off" },
  });
  onEnd(() => database.close());
  const url = new URL(database.adminUrl);
  await withClient(url.href, async (client) => {
    await client.query("DROP DATABASE IF EXISTS churn WITH (FORCE)");
    await client.query("CREATE DATABASE churn");
  });
  url.pathname = "/churn";
  await migrate({ databaseUrl: url.href, ...SCHEMA });
  const { shopId } = await provideShop(url.href);
  provideSettings({ DATABASE_URL: url.href, LOG_LEVEL: "warn" });
  onEnd(closeDatabase);
  const totals: number[] = [];
  await withClient(url.href, async (client) => {
    await client.query("CREATE EXTENSION pgstattuple");
    await prepareChurn(client, shopId);
    if (given.before) await restoreSettings(client);
    for (let window = 0; window < windows && !isEnding(); window++) {
      const times: Costs[] = [];
      const vacuums = new Map<string, Vacuums>();
      for (let step = 0; step < STEPS_PER_WINDOW && !isEnding(); step++) {
        const afterPart = (): Promise<void> => vacuumDue(client, vacuums);
        const took = await runStep(client, shopId, { step: window * STEPS_PER_WINDOW + step, changes, afterPart });
        times.push(took);
        say(
          `window ${window + 1}, step ${step + 1}: ${took.pollPages} and ${took.duePages} pages, retention ${took.retention.toFixed(0)} ms`,
        );
      }
      const sizes = await readSizes(client);
      totals.push(sizes.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0));
      printWindow(window + 1, sizes, times, vacuums);
    }
    if (!isEnding()) await printDeadRows(client, shopId);
  });
  // The first window fills the tables; the second one has the first purges.
  const growth = (totals.at(-1) ?? NaN) / (totals[1] ?? NaN);
  process.stdout.write(`\nFrom window 2 to window ${totals.length}: ${growth.toFixed(3)} ×, wanted ≤ ${FLAT} ×\n`);
  return growth <= FLAT;
}

await runProgram(churn);
