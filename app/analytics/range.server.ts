import { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { runOne, shopStatement } from "../platform/database/database.server.ts";
import type { Dates, Span } from "./periods.ts";
import { TODAY } from "./reports.server.ts";

/** The days of a report. */
export interface Range {
  /** the time of the report */
  at: Date;
  /** the shop's calendar day at that time */
  today: string;
  days: number;
  /** how many days before today the last day is */
  ago: number;
  /** why the chosen dates can't be shown, in which case the span's period is */
  problem: string | undefined;
}

/** Maximum length of chosen dates, in days. */
const MAX_DAYS = 731;

const DAY_MS = 24 * 3_600_000;

const calendarDay = z.iso.date();

function daysBetween(first: string, last: string): number {
  return (Date.parse(last) - Date.parse(first)) / DAY_MS;
}

function problemWith({ from, to }: Dates, today: string): string | undefined {
  for (const [name, date] of [
    ["first", from],
    ["last", to],
  ] as const) {
    if (date === "") return `The ${name} day is missing.`;
    if (!calendarDay.safeParse(date).success) return `The ${name} day isn't a date such as ${today}.`;
  }
  if (to > today) return "The last day is in the future.";
  if (from > to) return "The first day is after the last day.";
  if (daysBetween(from, to) >= MAX_DAYS) return `A period has at most ${MAX_DAYS} days.`;
  return undefined;
}

const todayStatement = shopStatement<{ today: string }>(
  "analytics_today",
  `SELECT to_char(today.day, 'YYYY-MM-DD') AS today FROM (${TODAY}) AS today`,
);

/** Returns the days of a span. */
export async function rangeOf(shopId: number, { period, dates }: Span): Promise<Range> {
  const at = now();
  const { today } = await runOne(todayStatement, [shopId, at]);
  const problem = dates && problemWith(dates, today);
  if (!dates || problem !== undefined) return { at, today, days: period, ago: 0, problem };
  const { from, to } = dates;
  return { at, today, days: daysBetween(from, to) + 1, ago: daysBetween(to, today), problem };
}
