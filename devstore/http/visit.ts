import type { Addresses, Translation } from "../addresses.ts";

export const LOCALES = ["en", "de", "fr", "es", "ja"] as const;
export type Locale = (typeof LOCALES)[number];

/** How a request came in. */
export interface Arrival {
  /** what the browser calls everything */
  addresses: Addresses;
  /** nothing to do over TLS, where the names are production's */
  translation: Translation;
  /** the browser's, or whoever asks */
  clientAddress: string;
  /** of the path's first part; English has none */
  locale: Locale;
}

/** Takes the locale off a storefront path: /de/cart is /cart in German. */
export function splitLocale(pathname: string): { locale: Locale; pathname: string } {
  const [, first = "", ...rest] = pathname.split("/");
  const locale = LOCALES.find((one) => one !== "en" && one === first);
  return locale === undefined ? { locale: "en", pathname } : { locale, pathname: `/${rest.join("/")}` };
}

/** Path prefix of a locale's pages. */
export function localeRoot(locale: Locale): string {
  return locale === "en" ? "" : `/${locale}`;
}
