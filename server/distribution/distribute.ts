import { distributionSteps, prepareDistributedSession } from "../../app/platform/database/distribution.server.ts";
import { lockMigrations } from "../../app/platform/database/migrations.server.ts";
import { Refusal } from "../commands/refusal.ts";
import { connect, serviceConnections } from "../database-connection.ts";
import { nodeName, requireCoordinator, requireNodes } from "./cluster.ts";

export interface DistributeOptions {
  /** shards per table; by default Citus' own setting */
  shards: number | undefined;
  onStep: (step: string, position: number, of: number) => void;
}

export interface Distributed {
  /** the steps that were left to do */
  steps: string[];
  nodes: string[];
}

/**
 * Distributes the tables of a migrated database over the nodes that the coordinator knows. An interrupted run is continued by the next one.
 * @throws Refusal when something is missing, or the service is running
 */
export async function distribute(databaseUrl: string, { shards, onStep }: DistributeOptions): Promise<Distributed> {
  const { client, close } = await connect(databaseUrl, "distribute");
  try {
    await requireCoordinator(client);
    const nodes = await requireNodes(client, { moves: false });
    await prepareDistributedSession(client);
    if (shards !== undefined) await client.query("SELECT set_config('citus.shard_count', $1, false)", [String(shards)]);
    await lockMigrations(client);
    const steps = await distributionSteps(client);
    if (steps.some(({ needsStop }) => needsStop)) {
      const names = await serviceConnections(client);
      if (names.length > 0) {
        throw new Refusal(
          `The service is connected (${names.join(", ")}). Stop every web and worker process with SIGTERM: a change during the distribution could be lost.`,
        );
      }
    }
    for (const [position, { title, run }] of steps.entries()) {
      onStep(title, position + 1, steps.length);
      await run();
    }
    return {
      steps: steps.map(({ title }) => title),
      nodes: nodes.filter(({ holdsShards }) => holdsShards).map(nodeName),
    };
  } finally {
    await close();
  }
}
