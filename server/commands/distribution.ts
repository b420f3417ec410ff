import type { Command } from "commander";
import { InvalidArgumentError, Option } from "commander";
import { migrate } from "../../app/platform/database/migrations.server.ts";
import { distribute } from "../distribution/distribute.ts";
import { isolate, rebalance } from "../distribution/moves.ts";
import { readDistribution, type Distribution } from "../distribution/state.ts";
import { SCHEMA } from "../migrations.ts";
import { PROGRAM } from "../program-name.ts";
import { jsonOption, parseDomain } from "./arguments.ts";
import { printOutput, withDatabase, type Output } from "./run.ts";
import { size, table } from "./table.ts";

/** As `withDatabase`; a new embedded database would be of no use to these commands. */
const withCluster: typeof withDatabase = (label, action) => withDatabase(label, action, { existing: true });

const MAX_SHARDS = 1_024;

function parseShards(text: string): number {
  const shards = Number(text);
  if (!Number.isInteger(shards) || shards < 1 || shards > MAX_SHARDS)
    throw new InvalidArgumentError(`Write a whole number from 1 to ${MAX_SHARDS}.`);
  return shards;
}

function sayStep(text: string): void {
  process.stderr.write(`${text}\n`);
}

function addDistribute(database: Command): void {
  database
    .command("distribute")
    .description("distribute the shops over the nodes of a Citus cluster")
    .addOption(
      new Option("--shards <number>", "shards per table, at least the nodes that there will ever be (32)").argParser(
        parseShards,
      ),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Stop the service and make a backup first. DATABASE_URL names the database of the coordinator. Each table is one step, and an interrupted
command is continued by running it again. Run it again after adding a node.`,
    )
    .action(async function (this: Command, { shards }: { shards?: number }) {
      const output = await withCluster("wishlist database distribute", async (databaseUrl): Promise<Output> => {
        await migrate({ databaseUrl, ...SCHEMA });
        const done = await distribute(databaseUrl, {
          shards,
          onStep: (step, position, of) => {
            sayStep(`${position}/${of} ${step}`);
          },
        });
        const nodes = done.nodes.join(", ");
        return {
          json: done,
          text:
            done.steps.length === 0
              ? `The database is distributed over ${nodes}; nothing was left to do.`
              : `The database is distributed over ${nodes}. \`${PROGRAM} database rebalance\` moves shards to new nodes.`,
        };
      });
      printOutput(this, output);
    });
}

function stateText({ distributed, nodes, largest, steps }: Distribution): string {
  const parts = [distributed ? "The database is distributed." : "The database is not distributed."];
  const rows = nodes.map((one) => [
    one.node,
    one.active ? one.role : `${one.role}, inactive`,
    one.shards.toLocaleString("en"),
    one.shops.toLocaleString("en"),
    size(one.bytes),
  ]);
  parts.push(table(["NODE", "ROLE", "SHARDS", "SHOPS", "SIZE"], rows));
  if (largest.length > 0) {
    const shops = largest.map((one) => [
      one.shop,
      one.node,
      one.items.toLocaleString("en"),
      one.isolated ? "yes" : "no",
    ]);
    parts.push(table(["LARGEST SHOPS", "NODE", "ITEMS", "OWN SHARD"], shops));
  }
  if (steps.length > 0)
    parts.push(`Left to do by \`${PROGRAM} database distribute\`:\n${steps.map((step) => `  ${step}`).join("\n")}`);
  return parts.join("\n\n");
}

function addStatus(database: Command): void {
  database
    .command("status")
    .description("show the nodes of a Citus cluster, and the largest shops")
    .addOption(jsonOption())
    .action(async function (this: Command) {
      const state = await withCluster("wishlist database status", readDistribution);
      printOutput(this, { json: state, text: stateText(state) });
    });
}

function addIsolate(database: Command): void {
  database
    .command("isolate")
    .description("give a shop a shard of its own, while the service runs")
    .argument("<domain>", "the shop's domain", parseDomain)
    .addOption(new Option("--node <host:port>", "move the shop to this node"))
    .addOption(jsonOption())
    .action(async function (this: Command, domain: string, { node }: { node?: string }) {
      const done = await withCluster("wishlist database isolate", (databaseUrl) => isolate(databaseUrl, domain, node));
      const shard = done.split
        ? `${done.shop} has a shard of its own now`
        : `${done.shop} had a shard of its own already`;
      printOutput(this, {
        json: done,
        text: `${shard}, on ${done.node}${done.moved ? ", to which it was moved" : ""}.`,
      });
    });
}

function addRebalance(database: Command): void {
  database
    .command("rebalance")
    .description("move shards so that the nodes hold about as much data each, while the service runs")
    .addOption(jsonOption())
    .action(async function (this: Command) {
      const moves = await withCluster("wishlist database rebalance", (databaseUrl) =>
        rebalance(databaseUrl, ({ shard, from, to }, position, of) => {
          sayStep(`${position}/${of} shard ${shard} from ${from} to ${to}`);
        }),
      );
      const text = moves.length === 0 ? "The nodes hold about as much data each." : `Moved ${moves.length} shards.`;
      printOutput(this, { json: moves, text });
    });
}

/** Adds the commands for a database on a Citus cluster. */
export function addDistribution(database: Command): void {
  addDistribute(database);
  addStatus(database);
  addIsolate(database);
  addRebalance(database);
}
