import { counter } from "../platform/metrics/metrics.server.ts";

/** Counts the changes that clients get. */
export const changesSent = counter("changes_sent_total", "Changes of the feed that were sent in pages or to streams", {
  to: ["page", "stream"],
});
