import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { log } from "../platform/log.server.ts";

let warned = false;

/**
 * The caller's address: the socket's, or, behind `hops` trusted proxies, the one that the farthest of them saw. Each proxy appends the
 * address it was called from to X-Forwarded-For, so what counts is counted from the right; what stands further left is the
 * caller's own word.
 */
export function clientAddress(socketAddress: string, forwardedFor: string | undefined, hops: number): string {
  if (hops === 0) {
    if (forwardedFor !== undefined && !warned) {
      warned = true;
      log.warn(
        {},
        "requests carry X-Forwarded-For but TRUSTED_PROXY_HOPS is 0: all callers behind that proxy count as one",
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

/** Characters of the longest address: an IPv6 one with a mapped IPv4 one, brackets and port. */
const MAX_ADDRESS_LENGTH = 53;

// A shopper's page asks several times.
const buckets = new LRUCache<string, string>({ max: 10_000 });

/**
 * What a limit per address counts by. An IPv6 customer has at least a /64 to choose addresses from, so the network counts; an
 * IPv4 address mapped into IPv6 is the IPv4 address.
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
