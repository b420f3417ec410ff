/** Origins of everything that a browser sees, without a path. */
export interface Addresses {
  storefront: string;
  admin: string;
  cdn: string;
  app: string;
}

const ADMIN = "https://admin.shopify.com";
const CDN = "https://cdn.shopify.com";

/** As in production, and as over TLS here. */
export function productionAddresses(shop: string, appUrl: string): Addresses {
  return { storefront: `https://${shop}`, admin: ADMIN, cdn: CDN, app: appUrl };
}

/** Turns addresses into each other inside texts: the app knows only production's, a person's browser only this machine's. */
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
  // Admin, CDN and storefront share an origin here: what follows it tells which is meant.
  const inward = [
    [local.app, "", production.app],
    [local.admin, "/store/", production.admin],
    [local.cdn, "/shopifycloud/", production.cdn],
    [local.cdn, "/s/files/", production.cdn],
    [local.storefront, "", production.storefront],
  ] as const;
  return {
    toLocal(text) {
      return outward.reduce((rest, [from, to]) => everywhere(rest, from, to), text);
    },
    toProduction(text) {
      return inward.reduce((rest, [from, path, to]) => everywhere(rest, from + path, to + path), text);
    },
  };
}

/** Plain, percent-encoded as in a query, and with the slashes escaped as some JSON has them. */
function everywhere(text: string, from: string, to: string): string {
  return text
    .replaceAll(from, to)
    .replaceAll(encodeURIComponent(from), encodeURIComponent(to))
    .replaceAll(from.replaceAll("/", String.raw`\/`), to.replaceAll("/", String.raw`\/`));
}
