import { now } from "../platform/clock.server.ts";

export interface CsvFile {
  name: string;
  text: string;
}

/** Keeps only characters that are safe in file names. */
export function fileName(shop: { domain: string }, ...parts: string[]): string {
  const store = shop.domain.replace(/\.myshopify\.com$/, "");
  return ["wishlist", ...parts, store].map((part) => part.replaceAll(/[^\w-]+/g, "_").slice(0, 60)).join("-");
}

/** Returns the file name of a list as of today. */
export function fileNameOfToday(shop: { domain: string; timeZone: string }, ...parts: string[]): string {
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: shop.timeZone, dateStyle: "short" }).format(now());
  return `${fileName(shop, ...parts)}-${today}.csv`;
}
