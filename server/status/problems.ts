import type { DataFolderState } from "./data-folder.ts";
import type { Status } from "./read.ts";
import { THRESHOLDS, type AlertRule } from "./thresholds.ts";

/** Something that needs the operator's attention. */
export interface Problem {
  /** the alert rule, whose section of docs/runbook.md has its name */
  alert: AlertRule;
  message: string;
}

/** Finds what needs attention, by the same thresholds as the alert rules. */
export function problemsOf(status: Status): Problem[] {
  return [
    ...readingProblems(status),
    ...schemaProblems(status),
    ...processProblems(status),
    ...redisProblems(status),
    ...queueProblems(status),
    ...jobProblems(status),
    ...dataFolderProblems(status.dataFolder),
  ];
}

function readingProblems({ unreachable, failed }: Status): Problem[] {
  const problems: Problem[] = failed.map(({ part, message }) => ({
    alert: "WishlistStatusIncomplete",
    message: `The part ${part} could not be read: ${message}.`,
  }));
  if (unreachable !== undefined) problems.push({ alert: "WishlistDatabaseUnreachable", message: unreachable });
  return problems;
}

function schemaProblems({ schema, server }: Status): Problem[] {
  const problems: Problem[] = [];
  if (server?.standby === true) {
    problems.push({ alert: "WishlistDatabaseUnreachable", message: "The database is a read-only standby." });
  }
  if (schema && schema.missing.length > 0) {
    const which = schema.applied === 0 ? "all migrations" : schema.missing.join(", ");
    problems.push({ alert: "WishlistSchema", message: `The database lacks ${which} of this release.` });
  }
  if (schema && schema.failed.length > 0) {
    problems.push({ alert: "WishlistSchema", message: `Migration ${schema.failed.join(", ")} has not finished.` });
  }
  return problems;
}

function processProblems({ processes }: Status): Problem[] {
  if (!processes) return [];
  const problems: Problem[] = [];
  if (processes.web + processes.all === 0) {
    const message = "No process with the role web or all is connected: no request gets a response.";
    problems.push({ alert: "WishlistNoWeb", message });
  }
  if (processes.worker + processes.all === 0) {
    const message = "No process with the role worker or all is connected: changes reach no report and no webhook.";
    problems.push({ alert: "WishlistNoWorker", message });
  }
  return problems;
}

function redisProblems({ redis }: Status): Problem[] {
  if (redis?.problem === undefined) return [];
  const message = `Redis does not respond, so each process counts rate limits for itself: ${redis.problem}.`;
  return [{ alert: "WishlistRedisDown", message }];
}

function queueProblems({ outbox, deliveries, shops }: Status): Problem[] {
  const problems: Problem[] = [];
  const check = (rule: keyof typeof THRESHOLDS, value: number | undefined, message: string): void => {
    if (value !== undefined && value > THRESHOLDS[rule]) problems.push({ alert: rule, message });
  };
  check("WishlistOutboxLag", outbox?.seconds, `The outbox is ${duration(outbox?.seconds)} behind.`);
  check(
    "WishlistDeliveriesUnclaimed",
    deliveries?.unclaimedSeconds,
    `Webhooks with due deliveries have waited for a process for ${duration(deliveries?.unclaimedSeconds)}.`,
  );
  check(
    "WishlistSyncStuck",
    shops?.oldestSeconds,
    `A product sync has been unfinished for ${duration(shops?.oldestSeconds)}.`,
  );
  check(
    "WishlistTokenRefused",
    shops?.refused.seconds,
    `Shopify has refused to refresh a shop's access token for ${duration(shops?.refused.seconds)}.`,
  );
  const aside = shops?.setAside ?? { change: 0, order: 0, product: 0 };
  check(
    "WishlistSetAside",
    aside.change + aside.order + aside.product,
    `${plural(aside.change, "change")} of wishlists, ${plural(aside.order, "order")} and ${plural(aside.product, "product")} of stores are set aside.`,
  );
  return problems;
}

function jobProblems({ jobs, tasks }: Status): Problem[] {
  const problems: Problem[] = [];
  for (const { job, overdueSeconds, failing } of jobs ?? []) {
    if (overdueSeconds > THRESHOLDS.WishlistJobLate) {
      const message = `The job ${job} has been due for a shop for ${duration(overdueSeconds)}.`;
      problems.push({ alert: "WishlistJobLate", message });
    }
    if (failing > THRESHOLDS.WishlistJobFailing) {
      problems.push({
        alert: "WishlistJobFailing",
        message: `The last run of the job ${job} failed for ${plural(failing, "shop")}.`,
      });
    }
  }
  for (const { queue, ready } of tasks?.queues ?? []) {
    if (ready > THRESHOLDS.WishlistTasksWaiting) {
      problems.push({ alert: "WishlistTasksWaiting", message: `${ready} tasks of ${queue} wait to be started.` });
    }
  }
  for (const [queue, failed] of Object.entries(tasks?.failedLately ?? {})) {
    if (failed > THRESHOLDS.WishlistTasksFailed) {
      const message = `${plural(failed, "task")} of ${queue} failed for good within the last hour.`;
      problems.push({ alert: "WishlistTasksFailed", message });
    }
  }
  return problems;
}

function dataFolderProblems(folder: DataFolderState | undefined): Problem[] {
  const problems: Problem[] = [];
  if (folder?.backupUnreadable !== undefined) {
    const message = `The last backup is unknown: ${folder.backupUnreadable}.`;
    problems.push({ alert: "WishlistBackupOld", message });
  } else if (folder && folder.backupSeconds > THRESHOLDS.WishlistBackupOld) {
    const which =
      folder.backup === undefined
        ? "The database has never been backed up, and was created"
        : "The last backup was made";
    problems.push({ alert: "WishlistBackupOld", message: `${which} ${duration(folder.backupSeconds)} ago.` });
  }
  if (folder && folder.usedRatio > THRESHOLDS.WishlistDiskFull) {
    const message = `The disk of the database is ${Math.floor(folder.usedRatio * 100)} % full.`;
    problems.push({ alert: "WishlistDiskFull", message });
  }
  return problems;
}

/** Formats seconds as `45 s`, `12 min`, `5 h` or `3 days`. */
export function duration(seconds = 0): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
