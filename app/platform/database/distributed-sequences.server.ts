import type pg from "pg";

// The ids of rows on a distributed database. Citus gives the sequences of each worker a range of their own. But ids should grow with time wherever a
// shop is, because the outbox, the purges and pages read its rows in the order of their ids. So all nodes count in steps, each with a remainder of its
// own, and before a shop moves, its new node continues behind the old one.

/** More than a cluster ever has nodes. Each node's ids have its group id as their remainder. */
const STEP = 1_024;

/** A server of the cluster. */
export interface ClusterNode {
  host: string;
  port: number;
}

interface NodeSequence extends ClusterNode {
  /** 0 for the coordinator */
  group: number;
  name: string;
  /** 0 before the first id */
  last: number;
  step: number;
}

/** Values between an old node's last id and a new node's next one, for the ids that the old node gives until the shop has moved. */
const MARGIN = 1_000_000 * STEP;

// The sequences of distributed tables. Shops get their ids from the coordinator. A node that is unreachable is left out: it was aligned when it was
// added.
const SEQUENCES = `
  SELECT n.nodename AS host, n.nodeport AS port, n.groupid AS group, s.name, s.last, s.step
    FROM run_command_on_all_nodes($$
      SELECT coalesce(json_agg(json_build_object('name', s.sequencename, 'last', coalesce(s.last_value, 0), 'step', s.increment_by)), '[]')
        FROM pg_sequences s
        JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
             AND d.objid = format('%I.%I', s.schemaname, s.sequencename)::regclass
        JOIN pg_dist_partition p ON p.logicalrelid = d.refobjid AND p.partmethod = 'h'
       WHERE s.schemaname = current_schema() $$) AS r
    JOIN pg_dist_node n USING (nodeid)
   CROSS JOIN LATERAL json_to_recordset(CASE WHEN r.success THEN r.result::json ELSE '[]' END) AS s (name text, last bigint, step bigint)`;

async function readSequences(client: pg.Client): Promise<NodeSequence[]> {
  const { rows } = await client.query<Record<keyof NodeSequence, string>>(SEQUENCES);
  return rows.map(({ host, port, group, name, last, step }) => ({
    ...{ host, name, port: Number(port), group: Number(group), last: Number(last), step: Number(step) },
  }));
}

/** Returns the first id of a group after a value. */
function nextId({ group }: NodeSequence, after: number): number {
  return (Math.floor(after / STEP) + 1) * STEP + group;
}

/** Runs SQL in the database of one node. */
async function runOnNode(client: pg.Client, { host, port }: ClusterNode, sql: string): Promise<void> {
  const { rows } = await client.query<{ success: boolean; result: string }>(
    "SELECT success, result FROM master_run_on_worker(ARRAY[$1], ARRAY[$2::integer], ARRAY[$3], false)",
    [host, port, sql],
  );
  const [outcome] = rows;
  if (outcome?.success !== true) throw new Error(`${host}:${port}: ${outcome?.result ?? "no result"}`);
}

function isAligned({ step }: NodeSequence): boolean {
  return step === STEP;
}

/** Tells whether a node counts in another way. */
export async function hasUnalignedSequences(client: pg.Client): Promise<boolean> {
  return !(await readSequences(client)).every(isAligned);
}

/** Lets every node count in steps, behind the rows that were there before the distribution. */
export async function alignSequences(client: pg.Client): Promise<void> {
  const sequences = await readSequences(client);
  for (const one of sequences.filter((sequence) => !isAligned(sequence))) {
    // A worker that is not aligned has given no id that is in use: its tables are new.
    const counted = sequences.filter(({ name, group, step }) => name === one.name && (group === 0 || step === STEP));
    const next = nextId(one, Math.max(0, ...counted.map(({ last }) => last)));
    const name = client.escapeIdentifier(one.name);
    await runOnNode(
      client,
      one,
      `SET citus.enable_ddl_propagation = off; ALTER SEQUENCE ${name} MINVALUE 1 NO MAXVALUE INCREMENT BY ${STEP} RESTART WITH ${next}`,
    );
  }
}

/** Returns the highest id that any node has given, by sequence. */
export async function lastIds(client: pg.Client): Promise<Map<string, number>> {
  const last = new Map<string, number>();
  for (const one of await readSequences(client)) last.set(one.name, Math.max(last.get(one.name) ?? 0, one.last));
  return last;
}

/** Lets the ids of a node continue behind those of another node, from which shops will move. */
export async function continueIdsOf(client: pg.Client, from: ClusterNode, to: ClusterNode): Promise<void> {
  const sequences = await readSequences(client);
  const on = ({ host, port }: ClusterNode) => sequences.filter((one) => one.host === host && one.port === port);
  for (const { name, last } of on(from)) {
    const target = on(to).find((one) => one.name === name);
    // So far ahead, the node cannot reach the new value in between.
    if (!target || target.last >= last + MARGIN) continue;
    await runOnNode(
      client,
      to,
      `SELECT setval('${client.escapeIdentifier(name)}', ${nextId(target, last + 2 * MARGIN)})`,
    );
  }
}
