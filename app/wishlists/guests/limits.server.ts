import { createHmac } from "node:crypto";
import ipaddr from "ipaddr.js";
import { env, secrets } from "../../platform/process/env.server.ts";
import type { ListRef } from "../owner.ts";

/** Returns the network around an address (IPv4) or around the network of one subscriber (IPv6): what one party can have many of. */
function networkOf(address: string): string {
  const host = address.replace(/\/\d+$/, "");
  if (!ipaddr.isValid(host)) return address;
  return ipaddr.parse(host) instanceof ipaddr.IPv4
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${host}/24`).toString()}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${host}/48`).toString()}/48`;
}

/** Returns a keyed hash, so that read access to the database reveals no address. */
function hashed(shopId: number, origin: string): string {
  return createHmac("sha256", `guest origin ${secrets().tokenSecrets[0]}`)
    .update(`${shopId} ${origin}`)
    .digest("base64url");
}

/** Returns the parameters of a SQL function that creates a guest's list: the shop's limit of new guests, and whose share of it the guest takes. */
export function guestLimits({ shopId, kind, address }: ListRef): [limit: number, origins: string[]] {
  const origins = kind === "guest" && address !== undefined ? new Set([address, networkOf(address)]) : [];
  return [env().rateLimitNewGuestsPerHour, [...origins].map((origin) => hashed(shopId, origin))];
}
