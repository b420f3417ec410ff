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

/** Formats the first and last day of a period with their years. */
export function formatPeriod(days: readonly { date: string }[]): string {
  const [first, last] = [days[0], days.at(-1)];
  return first && last ? `${formatDayWithYear(first.date)} – ${formatDayWithYear(last.date)}` : "";
}
