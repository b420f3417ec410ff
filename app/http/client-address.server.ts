import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { log } from "../platform/log/log.server.ts";

let warned = false;

/**
 * Returns the caller's address: the socket's, or, behind `hops` trusted proxies, the address that the first of them received the request
 * from. Each proxy appends the address of its client to X-Forwarded-For, so trusted entries are counted from the right; the caller
 * can forge all entries further left.
 */
export function clientAddress(socketAddress: string, forwardedFor: string | undefined, hops: number): string {
  if (hops === 0) {
    if (forwardedFor !== undefined && !warned) {
      warned = true;
      log.warn(
        {},
        "requests have X-Forwarded-For but TRUSTED_PROXY_HOPS is 0: all callers behind that proxy share one rate limit",
      );
    }
    return socketAddress;
  }
  const chain = (forwardedFor ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return chain.at(-hops) ?? chain.at(0) ?? socketAddress;
}

/** Characters of the longest address: IPv6 with an embedded IPv4 address, brackets and port. */
const MAX_ADDRESS_LENGTH = 53;

// Cached, because a storefront page sends several requests.
const buckets = new LRUCache<string, string>({ max: 10_000 });

/**
 * Returns the key by which limits per address count. IPv6 clients have at least a /64 network of addresses, so the network is counted.
 * An IPv4 address mapped into IPv6 counts as the IPv4 address.
 */
export function addressBucket(address: string): string {
  const known = buckets.get(address);
  if (known !== undefined) return known;
  const bucket = bucketOf(address);
  if (address.length <= MAX_ADDRESS_LENGTH) buckets.set(address, bucket);
  return bucket;
}

function bucketOf(address: string): string {
  const bare = address.replace(/^\[|\](:\d+)?$/g, "").replace(/%.*$/, "");
  // Some proxies append the port.
  const host = /^\d+\.\d+\.\d+\.\d+:\d+$/.test(bare) ? bare.slice(0, bare.indexOf(":")) : bare;
  if (!ipaddr.isValid(host)) return "unknown";
  const parsed = ipaddr.process(host);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`);
  return `${network.toString()}/64`;
}
