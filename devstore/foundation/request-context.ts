import type { Addresses, Translation } from "./addresses.ts";

export const LOCALES = ["en", "de", "fr", "es", "ja"] as const;
export type Locale = (typeof LOCALES)[number];

/** Facts about an incoming request that its URL does not tell. */
export interface RequestContext {
  /** origins under which the browser knows the storefront, the admin, the CDN and the app */
  addresses: Addresses;
  /** the identity for requests over TLS, where the browser uses the production names */
  translation: Translation;
  /** IP address of the client */
  clientAddress: string;
  locale: Locale;
}

/** Splits the locale off a storefront path: /de/cart is /cart in German. English has no prefix. */
export function splitLocale(pathname: string): { locale: Locale; pathname: string } {
  const [, first = "", ...rest] = pathname.split("/");
  const locale = LOCALES.find((one) => one !== "en" && one === first);
  return locale === undefined ? { locale: "en", pathname } : { locale, pathname: `/${rest.join("/")}` };
}

/** Returns the path prefix of a locale's pages. */
export function localeRoot(locale: Locale): string {
  return locale === "en" ? "" : `/${locale}`;
}
