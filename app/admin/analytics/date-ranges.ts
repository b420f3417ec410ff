import { formatCalendarDay, dateFormat } from "../shop-dates.tsx";

const withYear = dateFormat({ timeZone: "UTC", year: "numeric", month: "short", day: "numeric" });

/** Formats a calendar day such as 2026-11-20 with its year. */
export function formatDayWithYear(day: string): string {
  return withYear(new Date(`${day}T00:00:00Z`));
}

/** Formats a day or a range of days without the year. */
export function formatDayRange({ first, last }: { first: string; last: string }): string {
  return first === last ? formatCalendarDay(first) : `${formatCalendarDay(first)} – ${formatCalendarDay(last)}`;
}

const monthOfYear = dateFormat({ timeZone: "UTC", year: "numeric", month: "short" });

/** Formats a whole month by its name, and another range of days within a month by its days, with the year. */
export function formatMonth({ first, last }: { first: string; last: string }): string {
  const next = new Date(Date.parse(last) + 24 * 3_600_000);
  if (first.endsWith("-01") && next.getUTCDate() === 1) return monthOfYear(new Date(`${first}T00:00:00Z`));
  return formatPeriod([{ date: first }, { date: last }]);
}

/** Appends that a point's last day is not over, or is cut. */
export function markPartial(
  text: string,
  { isPartial, until }: { isPartial: boolean; until: string | undefined },
): string {
  if (isPartial) return `${text}, so far`;
  return until === undefined ? text : `${text}, until ${until}`;
}

/** Describes a period: its days, or since when it is counted. @param since where counting began within it */
export function describePeriod(days: readonly { date: string }[], since: string | undefined): string {
  return since === undefined ? formatPeriod(days) : `Counted since ${formatDayWithYear(since)}`;
}

/** Formats the first and last day of a period with their years, or its only day. */
export function formatPeriod(days: readonly { date: string }[]): string {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return "";
  if (first.date === last.date) return formatDayWithYear(first.date);
  return `${formatDayWithYear(first.date)} – ${formatDayWithYear(last.date)}`;
}
