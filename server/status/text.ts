import { LAG_ROWS } from "../../app/activity/index.server.ts";
import { size, table } from "../commands/table.ts";
import { duration, plural, type Problem } from "./problems.ts";
import type { DataFolderState } from "./data-folder.ts";
import type { Status } from "./read.ts";
import type { RedisState } from "./redis.ts";

/** Formats a status for a terminal. */
export function statusText(status: Status, problems: readonly Problem[]): string {
  const sections = status.unreachable === undefined || status.server ? [overview(status), ...tables(status)] : [];
  const found =
    problems.length === 0
      ? "No problems."
      : `Problems:\n${problems.map(({ alert, message }) => `  - ${message}\n    docs/runbook.md#${alert.toLowerCase()}`).join("\n")}`;
  return [...sections, found].join("\n\n");
}

/** Says why a part was not read. */
function unknown({ unreadable, failed }: Status, name: string): string {
  const failure = failed.find(({ part }) => part === name);
  if (failure) return `unknown: ${failure.message}`;
  return unreadable.includes(name)
    ? "unknown: the database has another schema than this release"
    : "unknown: the database does not respond any more";
}

function overview(status: Status): string {
  const { shops, outbox, deliveries, webhooks, processes, server, redis, dataFolder } = status;
  const lines: [string, string][] = [
    [
      "Database",
      server
        ? `PostgreSQL ${server.version}${server.standby ? ", standby" : ""}, ${server.connections} of ${server.limit} connections`
        : unknown(status, "server"),
    ],
    ["Schema", schemaLine(status)],
    [
      "Processes",
      processes
        ? `${processes.all} all, ${processes.web} web, ${processes.worker} worker`
        : unknown(status, "processes"),
    ],
    [
      "Shops",
      shops
        ? `${sum(shops.shops)} installed (catalog: ${counts(shops.shops)}), ${shops.uninstalled} uninstalled`
        : unknown(status, "shops"),
    ],
    ["Product sync", shops ? syncLine(shops) : unknown(status, "shops")],
    ["Tokens", shops ? tokensLine(shops) : unknown(status, "shops")],
    ["Set aside", shops ? setAsideLine(shops) : unknown(status, "shops")],
    [
      "Outbox",
      outbox
        ? `${atMost(outbox.rows, LAG_ROWS)} unprocessed${outbox.rows > 0 ? `, the oldest for ${duration(outbox.seconds)}` : ""}`
        : unknown(status, "outbox"),
    ],
    ["Deliveries", deliveries ? deliveriesLine(deliveries) : unknown(status, "deliveries")],
    ["Webhooks", webhooks ? counts(webhooks) : unknown(status, "webhooks")],
    ...(redis ? [redisLine(redis)] : []),
    ...(dataFolder ? dataFolderLines(dataFolder) : []),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join("\n");
}

function redisLine({ problem }: RedisState): [string, string] {
  return ["Redis", problem === undefined ? "responds" : `does not respond: ${problem}`];
}

function dataFolderLines(folder: DataFolderState): [string, string][] {
  const { backup, backupUnreadable, backupSeconds, freeBytes, usedRatio } = folder;
  const known = backup === undefined ? "never" : `${duration(backupSeconds)} ago, ${backup}`;
  return [
    ["Last backup", backupUnreadable === undefined ? known : `unknown: ${backupUnreadable}`],
    ["Disk", `${size(freeBytes)} free, ${Math.floor(usedRatio * 100)} % used`],
  ];
}

function schemaLine(status: Status): string {
  const { schema } = status;
  if (!schema) return unknown(status, "schema");
  const { applied, missing, unknown: newer, failed } = schema;
  if (missing.length + newer.length + failed.length === 0) return `up to date (${plural(applied, "migration")})`;
  const parts = [
    missing.length > 0 ? `older than this release: it lacks ${plural(missing.length, "migration")}` : "",
    newer.length > 0 ? `newer than this release: it has ${newer.join(", ")}` : "",
    failed.length > 0 ? `${failed.join(", ")} has not finished` : "",
  ];
  return parts.filter((part) => part !== "").join("; ");
}

function syncLine({ running, failing, oldestSeconds }: NonNullable<Status["shops"]>): string {
  if (running === 0) return "0 running";
  return `${running} running, the oldest for ${duration(oldestSeconds)}; ${failing} with a failed request`;
}

function tokensLine({ refused }: NonNullable<Status["shops"]>): string {
  return `${plural(refused.shops, "shop")} refused${refused.shops > 0 ? `, the first for ${duration(refused.seconds)}` : ""}`;
}

function setAsideLine({ setAside }: NonNullable<Status["shops"]>): string {
  return `${plural(setAside.change, "change")}, ${plural(setAside.order, "order")}, ${plural(setAside.product, "product")}`;
}

function deliveriesLine(depth: NonNullable<Status["deliveries"]>): string {
  const { deliveries, oldestSeconds, claimedEndpoints, unclaimedEndpoints } = depth;
  if (claimedEndpoints + unclaimedEndpoints === 0) return "0 due";
  const oldest = deliveries > 0 ? `, the oldest for ${duration(oldestSeconds)}` : "";
  return `${deliveries} due${oldest}; ${claimedEndpoints} webhooks in progress, ${unclaimedEndpoints} waiting for a process`;
}

function tables({ jobs, tasks, sizes, at }: Status): string[] {
  const result: string[] = [];
  if (jobs && jobs.length > 0) {
    result.push(
      table(
        ["JOB", "DUE", "OVERDUE", "FAILING", "LAST SUCCESS"],
        jobs.map(({ job, due, overdueSeconds, failing, succeededAt }) => [
          job,
          `${due} shops`,
          due > 0 ? duration(overdueSeconds) : "",
          `${failing} shops`,
          succeededAt ? `${duration((at.getTime() - succeededAt.getTime()) / 1_000)} ago` : "never",
        ]),
      ),
    );
  }
  if (tasks && tasks.queues.length > 0) {
    result.push(
      table(
        ["QUEUE", "READY", "DEFERRED", "ACTIVE", "FAILED"],
        tasks.queues.map(({ queue, ready, deferred, active, failed }) => [
          queue,
          ...[ready, deferred, active, failed].map(String),
        ]),
      ),
    );
  }
  if (sizes && sizes.length > 0) {
    result.push(
      table(
        ["TABLE", "SIZE", "ROWS (ESTIMATED)"],
        sizes.map((one) => [one.table, size(one.bytes), String(Math.round(one.rows))]),
      ),
    );
  }
  return result;
}

function sum(values: Readonly<Record<string, number>>): number {
  return Object.values(values).reduce((total, value) => total + value, 0);
}

function counts(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${value} ${name}`)
    .join(", ");
}

function atMost(value: number, cap: number): string {
  return value >= cap ? `${cap} or more` : String(value);
}
