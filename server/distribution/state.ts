import { distributionState, distributionSteps } from "../../app/platform/database/distribution.server.ts";
import { connect } from "../database-connection.ts";
import { nodeName, readNodes, requireCoordinator } from "./cluster.ts";

/** A node with what it holds. */
export interface NodeState {
  node: string;
  role: "coordinator" | "worker";
  active: boolean;
  shards: number;
  shops: number;
  bytes: number;
}

/** A shop with much data. */
export interface LargeShop {
  shop: string;
  node: string;
  items: number;
  /** whether its shard holds no other shop */
  isolated: boolean;
}

export interface Distribution {
  distributed: boolean;
  nodes: NodeState[];
  /** the shops with most saved items */
  largest: LargeShop[];
  /** what `database distribute` would do */
  steps: string[];
}

const SHARDS = `
  SELECT nodename AS host, nodeport AS port, count(*)::integer AS shards, sum(shard_size)::float8 AS bytes
    FROM citus_shards WHERE citus_table_type = 'distributed' GROUP BY 1, 2`;

const SHOPS = `
  SELECT n.nodename AS host, n.nodeport AS port, count(*)::integer AS shops
    FROM shop s
    JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('wishlist', s.id)
    JOIN pg_dist_node n ON n.groupid = p.groupid GROUP BY 1, 2`;

// The sums of saved items per product are far fewer rows than the items.
const LARGEST = `
  SELECT s.domain AS shop, n.nodename AS host, n.nodeport AS port, l.items, d.shardminvalue = d.shardmaxvalue AS isolated
    FROM (SELECT shop_id, sum(wishlist_count)::float8 AS items FROM product_stats GROUP BY shop_id ORDER BY items DESC LIMIT $1) AS l
    JOIN shop s ON s.id = l.shop_id
    JOIN pg_dist_shard d ON d.shardid = get_shard_id_for_distribution_column('wishlist', s.id)
    JOIN pg_dist_placement p ON p.shardid = d.shardid
    JOIN pg_dist_node n ON n.groupid = p.groupid
   ORDER BY l.items DESC`;

const LARGEST_SHOPS = 10;

interface Address {
  host: string;
  port: number;
}

/** Reads where the shops are. @throws Refusal without Citus, or on a worker */
export async function readDistribution(databaseUrl: string): Promise<Distribution> {
  const { client, close } = await connect(databaseUrl, "database status");
  try {
    await requireCoordinator(client);
    const state = await distributionState(client);
    const distributed = state?.distributed === true;
    const nodes = await readNodes(client);
    const steps = nodes.length > 1 ? (await distributionSteps(client)).map(({ title }) => title) : [];
    const shards = distributed ? (await client.query<Address & { shards: number; bytes: number }>(SHARDS)).rows : [];
    const shops = distributed ? (await client.query<Address & { shops: number }>(SHOPS)).rows : [];
    const largest = distributed
      ? (await client.query<Omit<LargeShop, "node"> & Address>(LARGEST, [LARGEST_SHOPS])).rows
      : [];
    const of = <Row extends Address>(rows: readonly Row[], name: string): Row | undefined =>
      rows.find((row) => nodeName(row) === name);
    return {
      distributed,
      nodes: nodes.map((node): NodeState => {
        const name = nodeName(node);
        return {
          node: name,
          role: node.groupId === 0 ? "coordinator" : "worker",
          active: node.active,
          shards: of(shards, name)?.shards ?? 0,
          shops: of(shops, name)?.shops ?? 0,
          bytes: of(shards, name)?.bytes ?? 0,
        };
      }),
      largest: largest.map(({ host, port, ...shop }) => ({ ...shop, node: nodeName({ host, port }) })),
      steps,
    };
  } finally {
    await close();
  }
}
