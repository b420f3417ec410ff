import { readOutboxLag, type OutboxLag } from "../../app/activity/index.server.ts";
import { readSyncStates, type SyncStates } from "../../app/catalog/index.server.ts";
import { sqlStateOf } from "../../app/platform/database-errors.server.ts";
import {
  readQueueStates,
  readShopJobStates,
  type QueueState,
  type ShopJobState,
} from "../../app/platform/job-metrics.server.ts";
import { runAs } from "../../app/platform/work-class.server.ts";
import { readEndpointStates, readQueueDepth, type QueueDepth } from "../../app/webhooks/index.server.ts";
import { explain } from "../fail.ts";
import { readDataFolder, type DataFolderState } from "./data-folder.ts";
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
  /** why the database did not respond */
  unreachable: string | undefined;
  server: ServerState | undefined;
  schema: SchemaState | undefined;
  processes: Processes | undefined;
  shops: (SyncStates & { uninstalled: number }) | undefined;
  outbox: OutboxLag | undefined;
  deliveries: QueueDepth | undefined;
  webhooks: Record<string, number> | undefined;
  tasks: { queues: QueueState[]; failedLately: Record<string, number> } | undefined;
  jobs: ShopJobState[] | undefined;
  sizes: { table: string; bytes: number; rows: number }[] | undefined;
  /** of the embedded database */
  dataFolder: DataFolderState | undefined;
  /** parts that the database's schema does not have, or has differently */
  unreadable: string[];
}

/**
 * Reads the state of the service from its database, without changing anything.
 * @param dataDir folder of the embedded database, if it is in use
 */
export function readStatus(dataDir: string | undefined): Promise<Status> {
  return runAs("background", async () => {
    const unreadable: string[] = [];
    const part = async <Value>(name: string, read: () => Promise<Value>): Promise<Value | undefined> => {
      try {
        return await read();
      } catch (error) {
        if (!OTHER_SCHEMA.has(sqlStateOf(error))) throw error;
        unreadable.push(name);
        return undefined;
      }
    };
    const status: Status = {
      at: new Date(),
      unreachable: undefined,
      server: undefined,
      schema: undefined,
      processes: undefined,
      shops: undefined,
      outbox: undefined,
      deliveries: undefined,
      webhooks: undefined,
      tasks: undefined,
      jobs: undefined,
      sizes: undefined,
      dataFolder: dataDir === undefined ? undefined : await readDataFolder(dataDir),
      unreadable,
    };
    try {
      status.server = await readServer();
      status.schema = await readSchemaState();
      status.processes = await readProcesses();
      status.shops = await part("shops", async () => ({
        ...(await readSyncStates()),
        uninstalled: await countUninstalled(),
      }));
      status.outbox = await part("outbox", readOutboxLag);
      status.deliveries = await part("deliveries", readQueueDepth);
      status.webhooks = await part("webhooks", readEndpointStates);
      status.tasks = await part("tasks", readTasks);
      status.jobs = await part("jobs", readShopJobStates);
      status.sizes = await readSizes();
    } catch (error) {
      status.unreachable = explain(error).split("\n", 1)[0];
    }
    return status;
  });
}

async function readTasks(): Promise<NonNullable<Status["tasks"]>> {
  const queues = await readQueueStates();
  const failed = queues.filter((queue) => queue.failed > 0).map(({ queue }) => queue);
  return { queues, failedLately: await readFailedTasks(failed) };
}
