import { processOutbox } from "../activity/index.server.ts";
import { run, runOne, shopStatement } from "../platform/database/database.server.ts";
import type { Cohort, Cohorts, CohortUnit } from "./findings.ts";
import type { Range } from "./range.server.ts";
import { TODAY } from "./reports.server.ts";

// Who first saved an item when, and what became of them: read from the rollup shopper_count, whose rows the SQL function shopper_marks explains. How many
// of its rows a report reads depends on the days of the period, not on the number of shoppers.

/** Longest period, in days, whose cohorts are weeks. Those of a longer one are months. */
const LONGEST_IN_WEEKS = 92;

/** The most weeks or months after a cohort's own. */
export const LATER = 12;

const DAY_MS = 24 * 3_600_000;

/** A week or month of first saves, within the period. */
interface Sums extends Omit<Cohort, "first" | "last" | "later" | "isLastPartial"> {
  start: string;
}

const sumsStatement = shopStatement<Sums>(
  "analytics_cohorts",
  `WITH today AS (${TODAY})
   SELECT to_char(date_trunc($5::text, c.day::timestamp), 'YYYY-MM-DD') AS start,
          coalesce(sum(c.shoppers) FILTER (WHERE c.kind = 'saved'), 0)::integer AS shoppers,
          coalesce(sum(c.shoppers) FILTER (WHERE c.kind = 'customer'), 0)::integer AS customers,
          coalesce(sum(c.shoppers) FILTER (WHERE c.kind = 'returned'), 0)::integer AS returned,
          coalesce(sum(c.shoppers) FILTER (WHERE c.kind = 'bought'), 0)::integer AS bought
     FROM today JOIN shopper_count c ON c.shop_id = $1 AND c.kind IN ('saved', 'customer', 'returned', 'bought')
                                    AND c.day > today.day - $4::integer - $3::integer AND c.day <= today.day - $4::integer
    GROUP BY 1`,
);

const laterStatement = shopStatement<{ start: string; period: string; shoppers: number }>(
  "analytics_cohorts_later",
  `WITH today AS (${TODAY})
   SELECT to_char(date_trunc($5::text, c.day::timestamp), 'YYYY-MM-DD') AS start, to_char(c.other_day, 'YYYY-MM-DD') AS period,
          sum(c.shoppers)::integer AS shoppers
     FROM today JOIN shopper_count c ON c.shop_id = $1 AND c.kind = $5::text
                                    AND c.day > today.day - $4::integer - $3::integer AND c.day <= today.day - $4::integer
    GROUP BY 1, 2 HAVING sum(c.shoppers) > 0`,
);

const firstStatement = shopStatement<{ since: string | null }>(
  "analytics_cohorts_since",
  `SELECT to_char(min(day), 'YYYY-MM-DD') AS since FROM shopper_count WHERE shop_id = $1 AND kind = 'saved'`,
);

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the first day of a week, which is a Monday, or of a month, as date_trunc does. */
function startOf(day: string, unit: CohortUnit): string {
  if (unit === "month") return `${day.slice(0, 8)}01`;
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}

function nextOf(start: string, unit: CohortUnit): string {
  return startOf(addDays(start, unit === "week" ? 7 : 31), unit);
}

/** Returns the shoppers who first saved an item in a period, by the week or month of that save. */
export async function readCohorts(shopId: number, { at, today, days, ago }: Range): Promise<Cohorts> {
  const unit: CohortUnit = days > LONGEST_IN_WEEKS ? "month" : "week";
  const parameters = [shopId, at, days, ago, unit];
  const [sums, later, { since }] = await Promise.all([
    run(sumsStatement, parameters),
    run(laterStatement, parameters),
    runOne(firstStatement, [shopId]),
  ]);
  const last = addDays(today, -ago);
  const begin = addDays(last, 1 - days);
  const first = since !== null && since > begin ? since : begin;
  const cohorts: Cohort[] = [];
  for (let start = startOf(first, unit); since !== null && start <= last; start = nextOf(start, unit)) {
    const found = sums.find((one) => one.start === start);
    const end = addDays(nextOf(start, unit), -1);
    const counts: number[] = [];
    let period = nextOf(start, unit);
    for (; period <= today && counts.length < LATER; period = nextOf(period, unit)) {
      counts.push(later.find((one) => one.start === start && one.period === period)?.shoppers ?? 0);
    }
    cohorts.push({
      first: start > first ? start : first,
      last: end < last ? end : last,
      shoppers: found?.shoppers ?? 0,
      customers: found?.customers ?? 0,
      returned: found?.returned ?? 0,
      bought: found?.bought ?? 0,
      later: counts,
      isLastPartial: period > today,
    });
  }
  return { unit, cohorts, since: first > begin ? first : undefined };
}

/** Returns the same with the changes before now. */
export async function cohortsIn(shopId: number, range: Range): Promise<Cohorts> {
  await processOutbox(shopId);
  return readCohorts(shopId, range);
}
