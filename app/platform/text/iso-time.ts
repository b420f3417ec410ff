const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
const SECOND = 1_000;

const TWO = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"));
const THREE = Array.from({ length: 1_000 }, (_, n) => String(n).padStart(3, "0"));

/** `2026-11-20T` by days since the epoch. 5,000 days take a few hundred kilobytes. */
const dates = new Map<number, string>();
const DATES_KEPT = 5_000;

function dateOf(day: number): string {
  let date = dates.get(day);
  if (date === undefined) {
    if (dates.size >= DATES_KEPT) dates.clear();
    date = new Date(day * DAY).toISOString().slice(0, -"00:00:00.000Z".length);
    dates.set(day, date);
  }
  return date;
}

/**
 * Returns the same as `Date.prototype.toISOString`, but caches dates: the many times of a page or a log share few days.
 * @param ms whole milliseconds since the epoch
 */
export function isoTime(ms: number): string {
  const day = Math.floor(ms / DAY);
  const inDay = ms - day * DAY;
  const hours = TWO[Math.floor(inDay / HOUR)] ?? "";
  const minutes = TWO[Math.floor((inDay % HOUR) / MINUTE)] ?? "";
  const seconds = TWO[Math.floor((inDay % MINUTE) / SECOND)] ?? "";
  return `${dateOf(day)}${hours}:${minutes}:${seconds}.${THREE[inDay % SECOND] ?? ""}Z`;
}
