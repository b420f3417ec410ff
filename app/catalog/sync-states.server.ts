import { run, statement } from "../platform/database/database.server.ts";
import { gauge, sharedReading } from "../platform/metrics/metrics.server.ts";

/** Milliseconds for which scrapes share a reading: it needs all shops. */
const FRESH_MS = 60_000;

const shopsStatement = statement<{ catalog: string; shops: number }>(
  "catalog_states",
  "SELECT catalog, count(*) AS shops FROM shop WHERE uninstalled_at IS NULL GROUP BY catalog",
);

/** Unscoped: the unfinished product syncs of all shops. */
const syncsStatement = statement<{ running: number; failing: number; seconds: number }>(
  "catalog_syncs",
  `SELECT count(*) AS running, count(failed_reason) AS failing,
          greatest(coalesce(extract(epoch FROM clock_timestamp() - min(started_at)), 0), 0)::float8 AS seconds
     FROM catalog_sync WHERE finished_at IS NULL`,
);

export interface SyncStates {
  /** number of installed shops by the state of their catalog cache: `none`, `syncing`, `ready` */
  shops: Record<string, number>;
  /** unfinished product syncs */
  running: number;
  /** those whose last request to Shopify failed */
  failing: number;
  /** age of the oldest unfinished sync in seconds; 0 without any */
  oldestSeconds: number;
}

/** Reads the states of the catalog caches and of the product syncs, over all shops. */
export async function readSyncStates(): Promise<SyncStates> {
  const states = await run(shopsStatement, []);
  const [syncs] = await run(syncsStatement, []);
  const shops: Record<string, number> = { none: 0, syncing: 0, ready: 0 };
  for (const { catalog, shops: count } of states) shops[catalog] = count;
  return {
    shops,
    running: syncs?.running ?? 0,
    failing: syncs?.failing ?? 0,
    oldestSeconds: syncs?.seconds ?? 0,
  };
}

const sharedStates = sharedReading(FRESH_MS, readSyncStates);

gauge("shops", "Installed shops by the state of their catalog cache", { catalog: [] }, async () => {
  const states = await sharedStates();
  return states && Object.entries(states.shops).map(([catalog, value]) => ({ labels: { catalog }, value }));
});
gauge(
  "catalog_syncs",
  "Unfinished product syncs: all, and those whose last request to Shopify failed",
  { state: ["running", "failing"] },
  async () => {
    const states = await sharedStates();
    return (
      states && [
        { labels: { state: "running" }, value: states.running },
        { labels: { state: "failing" }, value: states.failing },
      ]
    );
  },
);
gauge("catalog_sync_oldest_seconds", "Age of the oldest unfinished product sync", undefined, async () => {
  const states = await sharedStates();
  return states && [{ labels: {}, value: states.oldestSeconds }];
});
