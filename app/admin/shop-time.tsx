import { createContext, useContext } from "react";

const ShopTimeZone = createContext("UTC");

export const ShopTimeZoneProvider = ShopTimeZone.Provider;

function formatter(options: Intl.DateTimeFormatOptions): (at: Date) => string {
  // One way of writing for server and browser: a page that changes while it wakes up would jump.
  const format = new Intl.DateTimeFormat("en", { ...options, hourCycle: "h23" });
  return (at) => format.format(at);
}

/** Writes moments as the shop's clocks show them. */
export function useShopTime(): { day: (at: Date) => string; minute: (at: Date) => string } {
  const timeZone = useContext(ShopTimeZone);
  const date = { timeZone, year: "numeric", month: "short", day: "numeric" } as const;
  return { day: formatter(date), minute: formatter({ ...date, hour: "2-digit", minute: "2-digit" }) };
}

/** A calendar day such as 2026-11-20, which is in no time zone any more. */
export function calendarDay(day: string): string {
  return formatter({ timeZone: "UTC", month: "short", day: "numeric" })(new Date(`${day}T00:00:00Z`));
}
