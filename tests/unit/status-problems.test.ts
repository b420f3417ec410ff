import { expect, test } from "vitest";
import { problemsOf } from "../../server/status/problems.ts";
import type { Status } from "../../server/status/read.ts";
import { statusText } from "../../server/status/text.ts";
import { THRESHOLDS } from "../../server/status/thresholds.ts";

const SHOPS = {
  shops: { ready: 1 },
  running: 0,
  failing: 0,
  oldestSeconds: 0,
  uninstalled: 0,
  refused: { shops: 0, seconds: 0 },
  setAside: { change: 0, order: 0, product: 0 },
};
const DELIVERIES = { deliveries: 0, oldestSeconds: 0, claimedEndpoints: 0, unclaimedEndpoints: 0, unclaimedSeconds: 0 };
const JOB = { job: "retention", due: 0, failing: 0, overdueSeconds: 0, succeededAt: undefined };
const QUEUE = { queue: "catalog-sync", ready: 0, deferred: 0, active: 0, failed: 0 };
const FOLDER = {
  backup: "/backups/wishlist.zip",
  backupUnreadable: undefined,
  backupSeconds: 0,
  usedRatio: 0.1,
  freeBytes: 1e9,
};

/** The state of a service without problems, but for what a test changes. */
function statusWith(changes: Partial<Status> = {}): Status {
  return {
    at: new Date(),
    unreachable: undefined,
    server: { version: "18.4", standby: false, connections: 14, limit: 100 },
    schema: { applied: 7, missing: [], unknown: [], failed: [] },
    processes: { web: 0, worker: 0, all: 1, connections: {} },
    shops: SHOPS,
    outbox: { rows: 0, seconds: 0 },
    deliveries: DELIVERIES,
    webhooks: {},
    tasks: { queues: [QUEUE], failedLately: {} },
    jobs: [JOB],
    sizes: [],
    redis: { problem: undefined },
    dataFolder: FOLDER,
    unreadable: [],
    failed: [],
    ...changes,
  };
}

/** What a value beyond its threshold says. */
interface Case {
  reading: (value: number) => Partial<Status>;
  /** the step above the threshold */
  step: number;
  message: string;
}

const CASES: Record<keyof typeof THRESHOLDS, Case> = {
  WishlistOutboxLag: {
    reading: (seconds) => ({ outbox: { rows: 1, seconds } }),
    step: 1,
    message: "The outbox is 61 s behind.",
  },
  WishlistDeliveriesUnclaimed: {
    reading: (unclaimedSeconds) => ({ deliveries: { ...DELIVERIES, unclaimedSeconds } }),
    step: 1,
    message: "Webhooks with due deliveries have waited for a process for 61 s.",
  },
  WishlistJobLate: {
    reading: (overdueSeconds) => ({ jobs: [JOB, { ...JOB, job: "period-stats", overdueSeconds }] }),
    step: 1,
    message: "The job period-stats has been due for a shop for 6 h.",
  },
  WishlistJobFailing: {
    reading: (failing) => ({ jobs: [JOB, { ...JOB, job: "period-stats", failing }] }),
    step: 2,
    message: "The last run of the job period-stats failed for 2 shops.",
  },
  WishlistTasksFailed: {
    reading: (failed) => ({ tasks: { queues: [QUEUE], failedLately: { "shop-refresh": failed } } }),
    step: 2,
    message: "2 tasks of shop-refresh failed for good within the last hour.",
  },
  WishlistTasksWaiting: {
    reading: (ready) => ({ tasks: { queues: [QUEUE, { ...QUEUE, queue: "shop-refresh", ready }], failedLately: {} } }),
    step: 1,
    message: "1001 tasks of shop-refresh wait to be started.",
  },
  WishlistSyncStuck: {
    reading: (oldestSeconds) => ({ shops: { ...SHOPS, running: 1, oldestSeconds } }),
    step: 1,
    message: "A product sync has been unfinished for 6 h.",
  },
  WishlistTokenRefused: {
    reading: (seconds) => ({ shops: { ...SHOPS, refused: { shops: 1, seconds } } }),
    step: 60,
    message: "Shopify has refused to refresh a shop's access token for 61 min.",
  },
  WishlistSetAside: {
    reading: (order) => ({ shops: { ...SHOPS, setAside: { change: 0, order, product: 0 } } }),
    step: 1,
    message: "0 changes of wishlists, 1 order and 0 products of stores are set aside.",
  },
  WishlistBackupOld: {
    reading: (backupSeconds) => ({ dataFolder: { ...FOLDER, backupSeconds } }),
    step: 1,
    message: "The last backup was made 36 h ago.",
  },
  WishlistDiskFull: {
    reading: (usedRatio) => ({ dataFolder: { ...FOLDER, usedRatio } }),
    step: 0.05,
    message: "The disk of the database is 95 % full.",
  },
};

test("a service within all thresholds has no problems", () => {
  const status = statusWith();
  expect(problemsOf(status)).toEqual([]);
  expect(statusText(status, [])).toMatch(/\n\nNo problems\.$/);
});

test.each(Object.entries(CASES))("%s is a problem beyond its threshold only", (alert, { reading, step, message }) => {
  const [, threshold = NaN] = Object.entries(THRESHOLDS).find(([name]) => name === alert) ?? [];
  expect(problemsOf(statusWith(reading(threshold)))).toEqual([]);
  expect(problemsOf(statusWith(reading(threshold + step)))).toEqual([{ alert, message }]);
});

test("a standby, missing migrations and an unfinished migration are problems", () => {
  const server = { version: "18.4", standby: true, connections: 14, limit: 100 };
  const schema = { applied: 5, missing: ["2_b"], unknown: ["9_z"], failed: ["3_c"] };
  expect(problemsOf(statusWith({ server, schema }))).toEqual([
    { alert: "WishlistDatabaseUnreachable", message: "The database is a read-only standby." },
    { alert: "WishlistSchema", message: "The database lacks 2_b of this release." },
    { alert: "WishlistSchema", message: "Migration 3_c has not finished." },
  ]);
});

test("a database that stops responding keeps the parts that were read", () => {
  const unreachable = "The database cannot be reached (Connection terminated). Check DATABASE_URL.";
  const status = statusWith({ unreachable, outbox: { rows: 1, seconds: 61 }, deliveries: undefined });
  const problems = problemsOf(status);
  expect(problems.map(({ alert }) => alert)).toEqual(["WishlistDatabaseUnreachable", "WishlistOutboxLag"]);
  const text = statusText(status, problems);
  expect(text).toMatch(/^Outbox {8}1 unprocessed, the oldest for 61 s$/m);
  expect(text).toMatch(/^Deliveries {4}unknown: the database does not respond any more$/m);
});
