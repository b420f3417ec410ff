import { createContext, useContext } from "react";

const ShopTimeZone = createContext("UTC");

export const ShopTimeZoneProvider = ShopTimeZone.Provider;

type DateFormat = (at: Date) => string;

const DATE_OPTIONS = { year: "numeric", month: "short", day: "numeric" } as const;

/** Creates a formatter at its first use. */
export function dateFormat(options: Intl.DateTimeFormatOptions): DateFormat {
  let format: Intl.DateTimeFormat | undefined;
  return (at) => {
    // Server and browser must agree on the format, or hydration changes the page.
    format ??= new Intl.DateTimeFormat("en", { ...options, hourCycle: "h23" });
    return format.format(at);
  };
}

interface ShopDates {
  formatDate: DateFormat;
  formatDateTime: DateFormat;
  /** with seconds, for what happens several times a minute */
  formatMoment: DateFormat;
}

// Creating a formatter takes as long as rendering a row. The server formats dates for many time zones.
const MAX_CACHED_ZONES = 100;
const cache = new Map<string, ShopDates>();

function datesIn(timeZone: string): ShopDates {
  const cached = cache.get(timeZone);
  if (cached) return cached;
  if (cache.size >= MAX_CACHED_ZONES) cache.clear();
  const dates = {
    formatDate: dateFormat({ ...DATE_OPTIONS, timeZone }),
    formatDateTime: dateFormat({ ...DATE_OPTIONS, timeZone, hour: "2-digit", minute: "2-digit" }),
    formatMoment: dateFormat({ ...DATE_OPTIONS, timeZone, hour: "2-digit", minute: "2-digit", second: "2-digit" }),
  };
  cache.set(timeZone, dates);
  return dates;
}

/** Returns formatters for dates in the shop's time zone. */
export function useShopDates(): ShopDates {
  return datesIn(useContext(ShopTimeZone));
}

const monthAndDay = dateFormat({ timeZone: "UTC", month: "short", day: "numeric" });

/** Formats a calendar day such as 2026-11-20, which belongs to no time zone. */
export function formatCalendarDay(day: string): string {
  return monthAndDay(new Date(`${day}T00:00:00Z`));
}
