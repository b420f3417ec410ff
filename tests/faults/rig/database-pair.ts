import { join } from "node:path";
import { onEnd } from "../../../bench/lifetime.ts";
import { freePort } from "../../support/http/ports.ts";
import { until } from "../../support/until.ts";
import { NODE_ROLE, PostgresNode } from "./postgres-node.ts";
import { mountVolume } from "./volume.ts";

/** The service's role. It owns its database and is no superuser. */
const APP_ROLE = "wishlist";

/** A primary with one synchronous standby. */
export class DatabasePair {
  primary: PostgresNode;
  standby: PostgresNode;
  /** whether each node has a separate small file system */
  readonly hasVolumes: boolean;

  private constructor(nodes: { primary: PostgresNode; standby: PostgresNode; hasVolumes: boolean }) {
    this.primary = nodes.primary;
    this.standby = nodes.standby;
    this.hasVolumes = nodes.hasVolumes;
  }

  /** The service's URL, without the proxy in between. */
  get appUrl(): string {
    return this.primary.url.replace(`//${NODE_ROLE}@`, `//${APP_ROLE}@`);
  }

  /** Starts the primary with an empty database, and creates the standby's folder. */
  static async start(folder: string): Promise<DatabasePair> {
    const nodes: PostgresNode[] = [];
    let hasVolumes = true;
    for (const name of ["node_a", "node_b"]) {
      const volume = join(folder, name);
      if ((await mountVolume(volume)) === undefined) hasVolumes = false;
      const node = new PostgresNode(name, { volume, port: await freePort(), logFile: join(folder, `${name}.log`) });
      onEnd(() => node.stop("immediate"));
      nodes.push(node);
    }
    const [primary, standby] = nodes;
    if (!primary || !standby) throw new Error("there are no nodes");
    await primary.create();
    await primary.start();
    await primary.rows(`CREATE ROLE ${APP_ROLE} LOGIN`, [], "postgres");
    await primary.rows(`CREATE DATABASE wishlist OWNER ${APP_ROLE}`, [], "postgres");
    return new DatabasePair({ primary, standby, hasVolumes });
  }

  /** Makes the standby a copy of the primary, which then waits for it with each commit. */
  async replicate(): Promise<void> {
    const { primary, standby } = this;
    await standby.process.stop("SIGQUIT");
    await this.setSynchronous("");
    await standby.copy(primary);
    await standby.start();
    await this.setSynchronous(standby.name);
    await this.inStep();
  }

  /** Waits until the primary knows its standby as synchronous. */
  async inStep(): Promise<void> {
    await until("the standby to be synchronous", async () => {
      const rows = await this.primary.rows("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
      return rows.length > 0;
    });
  }

  async setSynchronous(names: string): Promise<void> {
    await this.primary.rows(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`, [], "postgres");
    await this.primary.rows("SELECT pg_reload_conf()", [], "postgres");
  }

  /** Makes the standby the primary. `replicate` makes the former primary its standby. */
  async promote(): Promise<void> {
    const former = this.primary;
    await this.standby.promote();
    this.primary = this.standby;
    this.standby = former;
  }
}
