import { createHmac, timingSafeEqual } from "node:crypto";

/** What Shopify says of a request that comes through a store's app proxy. */
export interface SignedQuery {
  /** the store's domain */
  shop: string;
  /** empty when nobody is logged in */
  customerId: string;
  /** the path in the store that leads here, such as `/apps/wishlist` */
  pathPrefix: string;
  /** seconds since the epoch */
  timestamp: number;
}

/** Each once, and spelt like this: were one repeated, its signer and its reader could mean different values. */
const SIGNED = ["shop", "logged_in_customer_id", "path_prefix", "timestamp", "signature"] as const;

const SHOP = /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/;
const CUSTOMER = /^\d{0,20}$/;
const PATH_PREFIX = /^(?:\/[\w-]+){1,4}$/;
const TIMESTAMP = /^\d{1,12}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;

/** The parameters with their values in the order in which they came; undefined when an escape is broken. */
function parse(query: string): Map<string, string[]> | undefined {
  const values = new Map<string, string[]>();
  for (const part of query.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const [name, value] = equals < 0 ? [part, ""] : [part.slice(0, equals), part.slice(equals + 1)];
    try {
      const key = decodeURIComponent(name.replaceAll("+", " "));
      const known = values.get(key);
      const decoded = decodeURIComponent(value.replaceAll("+", " "));
      if (known) known.push(decoded);
      else values.set(key, [decoded]);
    } catch {
      return undefined;
    }
  }
  return values;
}

/**
 * Checks the signature of an app-proxy request: HMAC-SHA256 in hex over the other parameters, `name=value` each, repeated values joined by
 * commas, sorted, with nothing between them (shopify.dev, "Authenticate app proxies"). How old it is, is not looked at.
 * @param query as it was sent, without `?`
 * @returns undefined when it is missing or wrong, or when a parameter of Shopify's is missing, repeated or not what it should be
 */
export function verifySignature(query: string, secret: string): SignedQuery | undefined {
  const values = parse(query);
  if (!values) return undefined;
  const names = [...values.keys()];
  const [shop, customerId, pathPrefix, timestamp, signature] = SIGNED.map((name) =>
    names.filter((given) => given.toLowerCase() === name).length === 1 && values.get(name)?.length === 1
      ? values.get(name)?.[0]
      : undefined,
  );
  if (shop === undefined || customerId === undefined || pathPrefix === undefined) return undefined;
  if (timestamp === undefined || signature === undefined || !SIGNATURE.test(signature)) return undefined;

  const signed = names
    .filter((name) => name !== "signature")
    .map((name) => `${name}=${(values.get(name) ?? []).join(",")}`)
    .sort()
    .join("");
  const expected = createHmac("sha256", secret).update(signed).digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, "hex"))) return undefined;

  const wellFormed =
    SHOP.test(shop) && CUSTOMER.test(customerId) && PATH_PREFIX.test(pathPrefix) && TIMESTAMP.test(timestamp);
  return wellFormed ? { shop, customerId, pathPrefix, timestamp: Number(timestamp) } : undefined;
}
