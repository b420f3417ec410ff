import { LAG_ROWS } from "../../app/activity/index.server.ts";
import { size, table } from "../commands/table.ts";
import { duration, type Problem } from "./problems.ts";
import type { DataFolderState } from "./data-folder.ts";
import type { Status } from "./read.ts";

const UNKNOWN = "unknown: the database has another schema than this release";

/** Formats a status for a terminal. */
export function statusText(status: Status, problems: readonly Problem[]): string {
  const sections = status.unreachable === undefined ? [overview(status), ...tables(status)] : [];
  const found =
    problems.length === 0
      ? "No problems."
      : `Problems:\n${problems.map(({ alert, message }) => `  - ${message}\n    docs/runbook.md#${alert.toLowerCase()}`).join("\n")}`;
  return [...sections, found].join("\n\n");
}

function overview(status: Status): string {
  const { shops, outbox, deliveries, webhooks, processes, server, dataFolder } = status;
  const lines: [string, string][] = [
    [
      "Database",
      server
        ? `PostgreSQL ${server.version}${server.standby ? ", standby" : ""}, ${server.connections} of ${server.limit} connections`
        : UNKNOWN,
    ],
    ["Schema", schemaLine(status)],
    ["Processes", processes ? `${processes.all} all, ${processes.web} web, ${processes.worker} worker` : UNKNOWN],
    [
      "Shops",
      shops
        ? `${sum(shops.shops)} installed (catalog: ${counts(shops.shops)}), ${shops.uninstalled} uninstalled`
        : UNKNOWN,
    ],
    ["Product sync", shops ? syncLine(shops) : UNKNOWN],
    [
      "Outbox",
      outbox
        ? `${atMost(outbox.rows, LAG_ROWS)} unprocessed${outbox.rows > 0 ? `, the oldest for ${duration(outbox.seconds)}` : ""}`
        : UNKNOWN,
    ],
    ["Deliveries", deliveries ? deliveriesLine(deliveries) : UNKNOWN],
    ["Webhooks", webhooks ? counts(webhooks) : UNKNOWN],
    ...(dataFolder ? dataFolderLines(dataFolder) : []),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join("\n");
}

function dataFolderLines({ backup, backupSeconds, freeBytes, usedRatio }: DataFolderState): [string, string][] {
  return [
    ["Last backup", backup === undefined ? "never" : `${duration(backupSeconds)} ago, ${backup}`],
    ["Disk", `${size(freeBytes)} free, ${Math.floor(usedRatio * 100)} % used`],
  ];
}

function schemaLine({ schema }: Status): string {
  if (!schema) return UNKNOWN;
  const { applied, missing, unknown, failed } = schema;
  if (missing.length + unknown.length + failed.length === 0) return `up to date (${plural(applied, "migration")})`;
  const parts = [
    missing.length > 0 ? `older than this release: it lacks ${plural(missing.length, "migration")}` : "",
    unknown.length > 0 ? `newer than this release: it has ${unknown.join(", ")}` : "",
    failed.length > 0 ? `${failed.join(", ")} has not finished` : "",
  ];
  return parts.filter((part) => part !== "").join("; ");
}

function syncLine({ running, failing, oldestSeconds }: NonNullable<Status["shops"]>): string {
  if (running === 0) return "0 running";
  return `${running} running, the oldest for ${duration(oldestSeconds)}; ${failing} with a failed request`;
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

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function atMost(value: number, cap: number): string {
  return value >= cap ? `${cap} or more` : String(value);
}
