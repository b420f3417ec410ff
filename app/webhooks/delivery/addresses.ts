import ipaddr from "ipaddr.js";

// Webhooks are sent to public addresses only. An address that is not known to be public is refused.

/** Descriptions of ipaddr.js's ranges. */
const RANGES = new Map<string, string>([
  ["unspecified", "an unspecified address"],
  ["broadcast", "the broadcast address"],
  ["multicast", "a multicast address"],
  ["linkLocal", "a link-local address"],
  ["loopback", "a loopback address"],
  ["carrierGradeNat", "an address inside a provider's network"],
  ["private", "a private address"],
  ["uniqueLocal", "a private address"],
  ["deprecatedSiteLocal", "a private address"],
  ["ipv4Mapped", "an IPv4 address inside an IPv6 address"],
  ["rfc6145", "an IPv4 address inside an IPv6 address"],
  ["rfc6052", "an IPv4 address inside an IPv6 address"],
  ["6to4", "an IPv4 address inside an IPv6 address"],
  ["teredo", "an IPv4 address inside an IPv6 address"],
]);
const RESERVED = "a reserved address";

/** The part of IPv6 that public addresses are allocated from (RFC 4291). It contains special blocks, too. */
const GLOBAL_IPV6 = { network: ipaddr.IPv6.parse("2000::"), bits: 3 };

/** Names that mean this machine or a network around it (RFC 6761, 6762, 8375, and ICANN's `internal`). */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/** Parses an address. ipaddr.js would also accept `0177.1` and `2130706433`, which other parsers read differently; they are refused here. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address);
  return ipaddr.IPv6.isValid(address) ? ipaddr.IPv6.parse(address) : undefined;
}

/** Returns the kind of a non-public address, such as "a private address", or undefined for a public address. */
export function forbiddenRange(address: string): string | undefined {
  const parsed = parse(address);
  if (!parsed) return "not an IP address";
  const range = parsed.range();
  if (range !== "unicast") return RANGES.get(range) ?? RESERVED;
  if (parsed instanceof ipaddr.IPv4) return undefined;
  if (parsed.zoneId !== undefined) return "an address of a local network";
  return parsed.match(GLOBAL_IPV6.network, GLOBAL_IPV6.bits) ? undefined : RESERVED;
}

/** Returns why an address is refused, such as "127.0.0.1 is a loopback address", or undefined. */
export function forbiddenAddress(address: string): string | undefined {
  const range = forbiddenRange(address);
  return range === undefined ? undefined : `${address} is ${range}`;
}

export function isLoopback(address: string): boolean {
  return parse(address)?.range() === "loopback";
}

function withoutRootDot(hostname: string): string {
  return hostname.toLowerCase().replace(/\.+$/, "");
}

/** Returns whether a name is `localhost` or below it. Such names always mean this machine, whatever DNS says (RFC 6761). */
export function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost$/.test(withoutRootDot(hostname));
}

/**
 * Returns why a host is refused before it is resolved, or undefined. Its address is checked when connecting.
 * @param hostname as `new URL(…).hostname` gives it, IPv6 with brackets or without
 */
export function forbiddenHost(hostname: string): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (host.includes(":") || ipaddr.IPv4.isValidFourPartDecimal(host)) return forbiddenAddress(host);
  const name = withoutRootDot(host);
  return LOCAL_NAME.test(name) || !name.includes(".") ? `${hostname} is a name of a local network` : undefined;
}
