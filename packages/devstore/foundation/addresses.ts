/** Origins (without a path) of what a browser loads. */
export interface Addresses {
  storefront: string;
  admin: string;
  cdn: string;
  app: string;
}

const ADMIN = "https://admin.shopify.com";
export const CDN = "https://cdn.shopify.com";

/** Returns the origins that production uses, and the devstore over TLS. */
export function productionAddresses(shop: string, appUrl: string): Addresses {
  return { storefront: `https://${shop}`, admin: ADMIN, cdn: CDN, app: appUrl };
}

/** Replaces origins inside texts: the app uses the production origins, a browser without TLS the local ones. */
export interface Translation {
  toLocal: (text: string) => string;
  toProduction: (text: string) => string;
}

export function translation(production: Addresses, local: Addresses): Translation {
  const outward = [
    [production.admin, local.admin],
    [production.cdn, local.cdn],
    [production.storefront, local.storefront],
    [production.app, local.app],
  ] as const;
  // Admin, CDN and storefront share one local origin; the path after it distinguishes them.
  const inward = [
    [local.app, "", production.app],
    [local.admin, "/store/", production.admin],
    [local.cdn, "/shopifycloud/", production.cdn],
    [local.cdn, "/s/files/", production.cdn],
    [local.storefront, "", production.storefront],
  ] as const;
  return {
    toLocal(text) {
      return outward.reduce((rest, [from, to]) => replaceOrigin(rest, from, to), text);
    },
    toProduction(text) {
      return inward.reduce((rest, [from, path, to]) => replaceOrigin(rest, from + path, to + path), text);
    },
  };
}

/** Replaces the plain form, the percent-encoded form of queries, and the form with escaped slashes of some JSON. */
function replaceOrigin(text: string, from: string, to: string): string {
  return text
    .replaceAll(from, to)
    .replaceAll(encodeURIComponent(from), encodeURIComponent(to))
    .replaceAll(from.replaceAll("/", String.raw`\/`), to.replaceAll("/", String.raw`\/`));
}
