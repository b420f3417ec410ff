import type pg from "pg";
import { continueIdsOf, type ClusterNode } from "../../app/platform/database/distributed-sequences.server.ts";
import { distributionState } from "../../app/platform/database/distribution.server.ts";
import { Refusal } from "../commands/refusal.ts";
import { connect } from "../database-connection.ts";
import { PROGRAM } from "../program-name.ts";
import { nodeName, requireCoordinator, requireNodes, type KnownNode } from "./cluster.ts";

/** Advisory lock of a command that moves shards. Two at a time would move the same shards. */
const MOVES_LOCK = 72_707_370;

/** A shard of `wishlist`; its colocated shards move with it. */
interface Shard extends ClusterNode {
  id: number;
  /** whether it holds one hash value only */
  isolated: boolean;
}

const SHARD_OF_SHOP = `
  SELECT s.shardid AS id, n.nodename AS host, n.nodeport AS port, s.shardminvalue = s.shardmaxvalue AS isolated
    FROM pg_dist_shard s
    JOIN pg_dist_placement p ON p.shardid = s.shardid
    JOIN pg_dist_node n ON n.groupid = p.groupid
   WHERE s.shardid = get_shard_id_for_distribution_column('wishlist', $1::bigint)`;

// What is planned for 'wishlist' applies to all colocated tables.
const PLAN = `
  SELECT shardid AS id, sourcename AS from_host, sourceport AS from_port, targetname AS to_host, targetport AS to_port
    FROM get_rebalance_table_shards_plan('wishlist') WHERE table_name = 'wishlist'::regclass`;

async function connected<Result>(
  databaseUrl: string,
  work: (client: pg.Client, nodes: KnownNode[]) => Promise<Result>,
): Promise<Result> {
  const { client } = await connect(databaseUrl, "database moves");
  try {
    await requireCoordinator(client);
    const nodes = await requireNodes(client, { moves: true });
    if ((await distributionState(client))?.distributed !== true) {
      throw new Refusal(`The database is not distributed. \`${PROGRAM} database distribute\` distributes it.`);
    }
    const { rows } = await client.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [MOVES_LOCK]);
    if (rows[0]?.locked !== true) throw new Refusal("Another command moves shards. Wait until it has ended.");
    return await work(client, nodes);
  } finally {
    // Not `close()`: the next command finds the lock released only when PostgreSQL has ended the session.
    await client.end();
  }
}

async function moveShard(
  client: pg.Client,
  shard: Pick<Shard, "id">,
  from: ClusterNode,
  to: ClusterNode,
): Promise<void> {
  await continueIdsOf(client, from, to);
  await client.query("SELECT citus_move_shard_placement($1, $2, $3, $4, $5, shard_transfer_mode => 'force_logical')", [
    shard.id,
    from.host,
    from.port,
    to.host,
    to.port,
  ]);
}

async function shardOfShop(client: pg.Client, shopId: number): Promise<Shard> {
  const { rows } = await client.query<Shard>(SHARD_OF_SHOP, [shopId]);
  const [shard] = rows;
  if (!shard) throw new Error(`shop ${shopId} has no shard`);
  return shard;
}

export interface Isolated {
  shop: string;
  /** the node that holds the shop now */
  node: string;
  /** whether the shop's shard held other shops */
  split: boolean;
  /** whether the shop is on another node than before */
  moved: boolean;
}

/**
 * Gives a shop a shard of its own, and moves it to a node if one is named.
 * @param target as `host:port`
 * @throws Refusal for an unknown shop or node
 */
export async function isolate(databaseUrl: string, domain: string, target: string | undefined): Promise<Isolated> {
  return connected(databaseUrl, async (client, nodes) => {
    const { rows } = await client.query<{ id: string | number }>("SELECT id FROM shop WHERE domain = $1", [domain]);
    const [shop] = rows;
    if (!shop) throw new Refusal(`The shop ${domain} does not exist. \`${PROGRAM} shops list\` lists all shops.`);
    const to = target === undefined ? undefined : targetNode(nodes, target);
    const shopId = Number(shop.id);
    const before = await shardOfShop(client, shopId);
    if (!before.isolated) {
      // Citus' own decoder, with which it splits shards online, fails on an UPDATE of a table whose key has several columns.
      await client.query(
        "SELECT isolate_tenant_to_new_shard('wishlist', $1::bigint, 'CASCADE', shard_transfer_mode => 'block_writes')",
        [shopId],
      );
    }
    const shard = await shardOfShop(client, shopId);
    const moves = to !== undefined && nodeName(to) !== nodeName(shard);
    if (moves) await moveShard(client, shard, shard, to);
    return {
      shop: domain,
      node: nodeName(moves ? to : shard),
      split: !before.isolated,
      moved: moves,
    };
  });
}

function targetNode(nodes: readonly KnownNode[], target: string): KnownNode {
  const able = nodes.filter(({ active, holdsShards }) => active && holdsShards);
  const found = able.find((node) => nodeName(node) === target);
  if (found) return found;
  throw new Refusal(`${target} is no node that holds shards. These are: ${able.map(nodeName).join(", ")}.`);
}

export interface Move {
  shard: number;
  from: string;
  to: string;
}

/** Moves shards so that the nodes hold about as much data each (Citus' strategy by_disk_size), while the service runs. An interrupted run is continued by the next one. */
export async function rebalance(
  databaseUrl: string,
  onMove: (move: Move, position: number, of: number) => void,
): Promise<Move[]> {
  return connected(databaseUrl, async (client) => {
    const { rows } = await client.query<{
      id: string | number;
      from_host: string;
      from_port: number;
      to_host: string;
      to_port: number;
    }>(PLAN);
    const moves: Move[] = [];
    for (const [position, row] of rows.entries()) {
      const from = { host: row.from_host, port: row.from_port };
      const to = { host: row.to_host, port: row.to_port };
      const move = { shard: Number(row.id), from: nodeName(from), to: nodeName(to) };
      onMove(move, position + 1, rows.length);
      await moveShard(client, { id: move.shard }, from, to);
      moves.push(move);
    }
    return moves;
  });
}
