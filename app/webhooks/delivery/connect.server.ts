import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, fetch } from "undici";
import { forbiddenHost, forbiddenRange, isLocalhost, isLoopback } from "./addresses.ts";

/** Milliseconds per DNS query, and queries per server: with three servers still less than the time limit of a delivery. */
const DNS_TIMEOUT = 2_000;
const DNS_TRIES = 2;

const LOCALHOST: LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** One message for an internal host, an unknown host and a host without an address, so that it reveals nothing about private names. */
const NOT_PUBLIC = "the host does not resolve to a public address";

/** A connection is refused because of its address. The message is shown to callers of the API. */
export class ConnectionRefused extends Error {
  constructor(reason: string) {
    super(`refused: ${reason}`);
    this.name = "ConnectionRefused";
  }
}

/** Returns whether a DNS error means that the name does not exist or has no address. */
function meansNoAddress(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOTFOUND" || error.code === "ENODATA");
}

export interface ConnectOptions {
  /** also allows `http:` and this machine: for the demo and tests */
  allowLoopback: boolean;
  /** milliseconds for connecting */
  timeoutMs: number;
  /** `address:port` of DNS servers to use instead of the system's */
  dnsServers?: readonly string[] | undefined;
}

/**
 * Returns a connector that connects to public addresses only. The address is checked at every connection, because the owner of a host name
 * can point it elsewhere after the URL was stored.
 */
export function safeConnector({ allowLoopback, timeoutMs, dnsServers }: ConnectOptions): buildConnector.connector {
  // c-ares instead of `dns.lookup`, which occupies one of the process's four threads while a slow name is resolved.
  const resolver = new Resolver({ timeout: DNS_TIMEOUT, maxTimeout: DNS_TIMEOUT, tries: DNS_TRIES });
  if (dnsServers) resolver.setServers(dnsServers);

  function forbidden(address: string): string | undefined {
    return allowLoopback && isLoopback(address) ? undefined : forbiddenRange(address);
  }

  /** Returns why a URL is refused before any look-up. Node does not call `lookup` when the host is an IP address. */
  function refusal(protocol: string, hostname: string): string | undefined {
    if (!allowLoopback) return protocol === "https:" ? forbiddenHost(hostname) : "webhooks go to https: addresses only";
    return isLoopback(hostname) || isLocalhost(hostname) ? undefined : forbiddenHost(hostname);
  }

  /** @throws ConnectionRefused when any address is not public: a name with a public and a private address is an attack. */
  async function resolve(name: string): Promise<LookupAddress[]> {
    if (allowLoopback && isLocalhost(name)) return LOCALHOST;
    const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
    if (addresses.some((address) => forbidden(address) !== undefined)) throw new ConnectionRefused(NOT_PUBLIC);
    if (addresses.length === 0) {
      const errors = results.flatMap((result): unknown[] => (result.status === "rejected" ? [result.reason] : []));
      const failure = errors.find((error) => error instanceof Error && !meansNoAddress(error));
      throw failure instanceof Error ? failure : new ConnectionRefused(NOT_PUBLIC);
    }
    return addresses.map((address) => ({ address, family: isIP(address) }));
  }

  const lookup: LookupFunction = (name, _options, callback) => {
    resolve(name).then(
      (addresses) => callback(null, addresses),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
    );
  };
  // With autoSelectFamily Node looks up all addresses and tries one after the other.
  const connect = buildConnector({ timeout: timeoutMs, lookup, autoSelectFamily: true });

  return (options, callback) => {
    const reason = refusal(options.protocol, options.hostname);
    if (reason !== undefined) {
      // Asynchronous, as undici expects of a connector.
      queueMicrotask(() => callback(new ConnectionRefused(reason), null));
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error) {
        callback(error, null);
        return;
      }
      // Checks the address of the socket itself before anything is sent, in case Node or undici connected elsewhere.
      const { remoteAddress } = socket;
      if (remoteAddress === undefined || forbidden(remoteAddress) === undefined) callback(null, socket);
      else {
        socket.destroy();
        callback(new ConnectionRefused(NOT_PUBLIC), null);
      }
    });
  };
}

/**
 * Returns a `fetch` for addresses that were chosen outside the service: it connects to public hosts over HTTPS only.
 * @param timeoutMs milliseconds for connecting
 */
export function publicFetch(timeoutMs: number) {
  const dispatcher = new Agent({ connect: safeConnector({ allowLoopback: false, timeoutMs }) });
  return (...[address, init]: Parameters<typeof fetch>): ReturnType<typeof fetch> =>
    fetch(address, { ...init, dispatcher });
}
