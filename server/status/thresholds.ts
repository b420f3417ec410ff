/** Above these values `wishlist status` reports a problem. The alert rules of ops/prometheus/alerts.yaml use the same, which a test compares. */
export const THRESHOLDS = {
  /** seconds; age of the oldest unprocessed row */
  WishlistOutboxLag: 60,
  /** seconds for which a webhook with due deliveries waits for a process */
  WishlistDeliveriesUnclaimed: 60,
  /** seconds for which a job has been due for a shop */
  WishlistJobLate: 21_600,
  /** shops for which a job's last run failed */
  WishlistJobFailing: 0,
  /** tasks of a queue that failed for good within an hour */
  WishlistTasksFailed: 0,
  /** tasks of a queue that could start */
  WishlistTasksWaiting: 1_000,
  /** seconds; age of the oldest unfinished product sync */
  WishlistSyncStuck: 21_600,
  /** seconds for which Shopify has refused to refresh a shop's access token */
  WishlistTokenRefused: 3_600,
  /** orders and products of stores that could not be stored */
  WishlistSetAside: 0,
  /** seconds since the last backup of the embedded database */
  WishlistBackupOld: 129_600,
  /** share of the embedded database's disk that is used */
  WishlistDiskFull: 0.9,
} as const;

/** An alert rule with a section of the same name in docs/runbook.md. */
export type AlertRule =
  | keyof typeof THRESHOLDS
  | "WishlistDatabaseUnreachable"
  | "WishlistNoWeb"
  | "WishlistNoWorker"
  | "WishlistRedisDown"
  | "WishlistSchema"
  | "WishlistStatusIncomplete";
