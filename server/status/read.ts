import { readOutboxLag, type OutboxLag } from "../../app/activity/index.server.ts";
import { readSyncStates, type SyncStates } from "../../app/catalog/index.server.ts";
import { sqlStateOf } from "../../app/platform/database/errors.server.ts";
import {
  readQueueStates,
  readShopJobStates,
  type QueueState,
  type ShopJobState,
} from "../../app/platform/metrics/jobs.server.ts";
import { runAs } from "../../app/platform/database/work-class.server.ts";
import { readSetAside, type SetAsideCounts } from "../../app/set-aside/index.server.ts";
import { readRefusedTokens, type RefusedTokens } from "../../app/shopify-sessions/index.server.ts";
import { readEndpointStates, readQueueDepth, type QueueDepth } from "../../app/webhooks/index.server.ts";
import { connectionFailure, explain } from "../fail.ts";
import { errorLine } from "../postgres/errors.ts";
import { readDataFolder, type DataFolderState } from "./data-folder.ts";
import { readRedis, type RedisState } from "./redis.ts";
import { readSchemaState, type SchemaState } from "./schema.ts";
import {
  countUninstalled,
  readFailedTasks,
  readProcesses,
  readServer,
  readSizes,
  type Processes,
  type ServerState,
} from "./server.ts";

/** SQLSTATEs of a table, column, function or schema that does not exist. */
const OTHER_SCHEMA = new Set(["42P01", "42703", "42883", "3F000"]);

/** Everything that `wishlist status` shows. A part is undefined when it could not be read. */
export interface Status {
  at: Date;
  /** why the database did not respond, or no longer */
  unreachable: string | undefined;
  server: ServerState | undefined;
  schema: SchemaState | undefined;
  processes: Processes | undefined;
  shops: (SyncStates & { uninstalled: number; refused: RefusedTokens; setAside: SetAsideCounts }) | undefined;
  outbox: OutboxLag | undefined;
  deliveries: QueueDepth | undefined;
  webhooks: Record<string, number> | undefined;
  tasks: { queues: QueueState[]; failedLately: Record<string, number> } | undefined;
  jobs: ShopJobState[] | undefined;
  sizes: { table: string; bytes: number; rows: number }[] | undefined;
  /** of a service with REDIS_URL */
  redis: RedisState | undefined;
  /** of the embedded database */
  dataFolder: DataFolderState | undefined;
  /** parts that the database's schema does not have, or has differently */
  unreadable: string[];
  /** parts whose reading failed for another reason */
  failed: { part: string; message: string }[];
}

/**
 * Reads the state of the service from its database and Redis, without changing anything.
 * @param dataDir folder of the embedded database, if it is in use
 */
export function readStatus({
  dataDir,
  redisUrl,
}: {
  dataDir: string | undefined;
  redisUrl: string | undefined;
}): Promise<Status> {
  return runAs("background", async () => {
    const problems: Pick<Status, "unreachable" | "unreadable" | "failed"> = {
      unreachable: undefined,
      unreadable: [],
      failed: [],
    };
    const part = async <Value>(name: string, read: () => Promise<Value>): Promise<Value | undefined> => {
      // Each further attempt to connect could take seconds.
      if (problems.unreachable !== undefined) return undefined;
      try {
        return await read();
      } catch (error) {
        if (connectionFailure(error)) problems.unreachable = explain(error);
        else if (OTHER_SCHEMA.has(sqlStateOf(error))) problems.unreadable.push(name);
        else problems.failed.push({ part: name, message: errorLine(error) });
        return undefined;
      }
    };
    const parts = {
      at: new Date(),
      redis: redisUrl === undefined ? undefined : await readRedis(redisUrl),
      dataFolder: dataDir === undefined ? undefined : await part("dataFolder", () => readDataFolder(dataDir)),
      server: await part("server", readServer),
      schema: await part("schema", readSchemaState),
      processes: await part("processes", readProcesses),
      shops: await part("shops", async () => ({
        ...(await readSyncStates()),
        uninstalled: await countUninstalled(),
        refused: await readRefusedTokens(),
        setAside: await readSetAside(),
      })),
      outbox: await part("outbox", readOutboxLag),
      deliveries: await part("deliveries", readQueueDepth),
      webhooks: await part("webhooks", readEndpointStates),
      tasks: await part("tasks", readTasks),
      jobs: await part("jobs", readShopJobStates),
      sizes: await part("sizes", readSizes),
    };
    return { ...parts, ...problems };
  });
}

async function readTasks(): Promise<NonNullable<Status["tasks"]>> {
  const queues = await readQueueStates();
  const failed = queues.filter((queue) => queue.failed > 0).map(({ queue }) => queue);
  return { queues, failedLately: await readFailedTasks(failed) };
}
