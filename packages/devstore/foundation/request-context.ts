import type { Addresses, Translation } from "./addresses.ts";

/** The language of the admin, and of storefront paths without a prefix. */
export const PRIMARY_LOCALE = "en";

/** Facts about an incoming request that its URL does not tell. */
export interface RequestContext {
  /** origins under which the browser knows the storefront, the admin, the CDN and the app */
  addresses: Addresses;
  /** the identity for requests over TLS, where the browser uses the production names */
  translation: Translation;
  /** Replaces production origins inside a text by those under which this process reaches them. */
  toLoopback: (text: string) => string;
  /** IP address of the client */
  clientAddress: string;
  /** IETF language tag */
  locale: string;
}

/** Splits the locale off a storefront path: /de/cart is /cart in German. English has no prefix. */
export function splitLocale(pathname: string, locales: readonly string[]): { locale: string; pathname: string } {
  const [, first = "", ...rest] = pathname.split("/");
  const locale = locales.find((one) => localeRoot(one) === `/${first.toLowerCase()}`);
  return locale === undefined ? { locale: PRIMARY_LOCALE, pathname } : { locale, pathname: `/${rest.join("/")}` };
}

/** Returns the path prefix of a locale's pages. */
export function localeRoot(locale: string): string {
  return locale === PRIMARY_LOCALE ? "" : `/${locale.toLowerCase()}`;
}
