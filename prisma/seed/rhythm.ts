/** When a shop is visited: a distribution over the hours of the last 90 days. */
export interface Rhythm {
  /** First instant of the history, epoch milliseconds */
  start: number;
  /** Last instant of the history, epoch milliseconds */
  end: number;
  /** The instant that a `share` of all visits (0 to 1) precedes: epoch milliseconds, whole */
  instantOf(share: number): number;
  /** Whether the campaign runs at this instant */
  inCampaign(instant: number): boolean;
}

const HOUR = 3_600_000;
const DAYS = 90;

/** Visits in each hour of the local day, relative to each other: lunch, and the evening on the sofa. */
const BY_HOUR = [
  0.3, 0.14, 0.07, 0.04, 0.04, 0.08, 0.25, 0.5, 0.7, 0.8, 0.85, 0.95, 1.15, 1, 0.9, 0.9, 1, 1.2, 1.5, 1.9, 2.3, 2.4,
  1.7, 0.8,
];

const BY_WEEKDAY = new Map(
  Object.entries({ Mon: 0.9, Tue: 0.85, Wed: 0.88, Thu: 0.95, Fri: 1.05, Sat: 1.5, Sun: 1.75 }),
);

/** The newsletter went out this many local days before today; what it did to the traffic of that day and the next ones. */
const CAMPAIGN_DAYS_AGO = 38;
const CAMPAIGN_LIFT = [4.5, 3.2, 1.8];

interface Hour {
  from: number;
  to: number;
  daysAgo: number;
  /** Of all visits, those before this hour began and this hour's own, in weights */
  before: number;
  weight: number;
}

/**
 * The last 90 calendar days of the time zone, today included, as the reports count them; never more than 90 x 24 hours,
 * never past `now`. The time zone must be whole hours away from UTC.
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
  // Asking Intl hour by hour is what makes both hours of a clock change come out right.
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
    // A third more visits at the end than at the beginning.
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
