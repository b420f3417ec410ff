import { createContext, useContext } from "react";

const ShopTimeZone = createContext("UTC");

export const ShopTimeZoneProvider = ShopTimeZone.Provider;

type Write = (at: Date) => string;

const DAY = { year: "numeric", month: "short", day: "numeric" } as const;

export function formatter(options: Intl.DateTimeFormatOptions): Write {
  let format: Intl.DateTimeFormat | undefined;
  return (at) => {
    // One way of writing for server and browser: a page that changes while it wakes up would jump.
    format ??= new Intl.DateTimeFormat("en", { ...options, hourCycle: "h23" });
    return format.format(at);
  };
}

interface ShopTime {
  day: Write;
  minute: Write;
}

// Making one takes as long as drawing a row, so it is made once, where it is needed; a server writes for many zones.
const KEPT = 100;
const byZone = new Map<string, ShopTime>();

function timeIn(timeZone: string): ShopTime {
  const known = byZone.get(timeZone);
  if (known) return known;
  if (byZone.size >= KEPT) byZone.clear();
  const made = {
    day: formatter({ ...DAY, timeZone }),
    minute: formatter({ ...DAY, timeZone, hour: "2-digit", minute: "2-digit" }),
  };
  byZone.set(timeZone, made);
  return made;
}

/** Writes moments as the shop's clocks show them. */
export function useShopTime(): ShopTime {
  return timeIn(useContext(ShopTimeZone));
}

const monthAndDay = formatter({ timeZone: "UTC", month: "short", day: "numeric" });

/** A calendar day such as 2026-11-20, which is in no time zone any more. */
export function calendarDay(day: string): string {
  return monthAndDay(new Date(`${day}T00:00:00Z`));
}
