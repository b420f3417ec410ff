/** The distribution of a shop's visits over the hours of the last 90 days. */
export interface Rhythm {
  /** First instant of the history, epoch milliseconds */
  start: number;
  /** Last instant of the history, epoch milliseconds */
  end: number;
  /** Returns the time before which a `share` (0 to 1) of all visits happens, in whole epoch milliseconds. */
  instantOf(share: number): number;
  /** Whether the campaign runs at this instant */
  inCampaign(instant: number): boolean;
}

const HOUR = 3_600_000;
const DAYS = 90;

/** Relative number of visits by hour of the local day, with peaks at lunch and in the evening. */
const BY_HOUR = [
  0.3, 0.14, 0.07, 0.04, 0.04, 0.08, 0.25, 0.5, 0.7, 0.8, 0.85, 0.95, 1.15, 1, 0.9, 0.9, 1, 1.2, 1.5, 1.9, 2.3, 2.4,
  1.7, 0.8,
];

const BY_WEEKDAY = new Map(
  Object.entries({ Mon: 0.9, Tue: 0.85, Wed: 0.88, Thu: 0.95, Fri: 1.05, Sat: 1.5, Sun: 1.75 }),
);

/** The newsletter was sent this many local days before today, with these factors for that day's and the next days' visits. */
const CAMPAIGN_DAYS_AGO = 38;
const CAMPAIGN_LIFT = [4.5, 3.2, 1.8];

interface Hour {
  from: number;
  to: number;
  daysAgo: number;
  /** weight of all visits before this hour, and of the visits in this hour */
  before: number;
  weight: number;
}

/**
 * Covers the last 90 calendar days of the time zone, including today, as in the reports; at most 90 x 24 hours, and not past
 * `now`. The time zone's offset from UTC must be whole hours.
 */
export function shopRhythm(now: Date, timeZone: string): Rhythm {
  const hours = weighHours(now.getTime(), timeZone);
  const first = hours[0];
  const last = hours.at(-1);
  if (first === undefined || last === undefined) throw new RangeError("now is not a valid date");
  const total = last.before + last.weight;

  const hourAfter = (test: (hour: Hour) => boolean): Hour => {
    let low = 0;
    let high = hours.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const hour = hours[middle];
      if (hour !== undefined && test(hour)) low = middle + 1;
      else high = middle;
    }
    return hours[low] ?? last;
  };

  return {
    start: first.from,
    end: last.to,
    instantOf: (share) => {
      const weight = share * total;
      const hour = hourAfter((candidate) => candidate.before + candidate.weight <= weight);
      const part = (weight - hour.before) / hour.weight;
      return Math.floor(hour.from + part * (hour.to - hour.from));
    },
    inCampaign: (instant) => {
      const hour = hourAfter((candidate) => candidate.to <= instant);
      return campaignLift(hour.daysAgo) > 1;
    },
  };
}

function campaignLift(daysAgo: number): number {
  return CAMPAIGN_LIFT[CAMPAIGN_DAYS_AGO - daysAgo] ?? 1;
}

function weighHours(now: number, timeZone: string): Hour[] {
  // Intl is called for every hour, so that the hours of a clock change are correct.
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    weekday: "short",
    day: "2-digit",
    hour: "2-digit",
  });
  const earliest = now - DAYS * 24 * HOUR;

  const hours: Hour[] = [];
  let daysAgo = 0;
  let dayAfter: string | undefined;
  for (let hourStart = Math.floor(now / HOUR) * HOUR; hourStart > earliest - HOUR; hourStart -= HOUR) {
    const from = Math.max(hourStart, earliest);
    const to = Math.min(hourStart + HOUR, now);
    const local = new Map(clock.formatToParts(hourStart).map(({ type, value }) => [type, value]));
    const day = local.get("day");
    if (dayAfter !== undefined && day !== dayAfter) daysAgo++;
    dayAfter = day;
    if (daysAgo >= DAYS) break;
    if (from >= to) continue;

    const usual = (BY_HOUR[Number(local.get("hour"))] ?? 1) * (BY_WEEKDAY.get(local.get("weekday") ?? "") ?? 1);
    // The end has a third more visits than the beginning.
    const trend = 1 + (1 - daysAgo / DAYS) / 3;
    const weight = usual * trend * campaignLift(daysAgo) * ((to - from) / HOUR);
    hours.push({ from, to, daysAgo, before: 0, weight });
  }

  hours.reverse();
  let before = 0;
  for (const hour of hours) {
    hour.before = before;
    before += hour.weight;
  }
  return hours;
}
