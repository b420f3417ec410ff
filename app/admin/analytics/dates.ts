import { calendarDay, formatter } from "../shop-time.tsx";

const withYear = formatter({ timeZone: "UTC", year: "numeric", month: "short", day: "numeric" });

/** A calendar day such as 2026-11-20, with its year. */
export function fullDay(day: string): string {
  return withYear(new Date(`${day}T00:00:00Z`));
}

/** Days in a row, as short as they can be named. */
export function spanOfDays({ first, last }: { first: string; last: string }): string {
  return first === last ? calendarDay(first) : `${calendarDay(first)} – ${calendarDay(last)}`;
}

/** The days of a period, with their years. */
export function periodOfDays(days: readonly { date: string }[]): string {
  const [first, last] = [days[0], days.at(-1)];
  return first && last ? `${fullDay(first.date)} – ${fullDay(last.date)}` : "";
}
