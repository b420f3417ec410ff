import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { forbiddenHost, forbiddenRange, isLocalhost, isLoopback } from "./addresses.ts";

/** Milliseconds for a DNS server's answer, and how often each is asked: with three servers still less than a delivery has. */
const DNS_TIMEOUT = 2_000;
const DNS_TRIES = 2;

const LOCALHOST: LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** A receiver learns nothing about private names: an internal host, an unknown host and one without an address get the same message. */
const NOT_PUBLIC = "the host does not resolve to a public address";

/** A connection that is not made, or not used, because of its address. The message is shown to callers of the API. */
export class ConnectionRefused extends Error {
  constructor(reason: string) {
    super(`refused: ${reason}`);
    this.name = "Refused";
  }
}

/** Whether a DNS error means that the name does not exist or has no address. */
function saysNoAddress(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOTFOUND" || error.code === "ENODATA");
}

export interface ConnectOptions {
  /** `http:` and this machine are fine: for demo and tests */
  allowLoopback: boolean;
  /** milliseconds until a connection stands */
  timeoutMs: number;
  /** `address:port`, instead of the system's */
  dnsServers?: readonly string[] | undefined;
}

/**
 * Connects to public addresses only. Checked is what is connected to, each time: a URL that was fine when it was stored can lead
 * elsewhere now, as its name's owner likes.
 */
export function safeConnector({ allowLoopback, timeoutMs, dnsServers }: ConnectOptions): buildConnector.connector {
  // c-ares, not the system's look-up: that one holds a thread of four for as long as a slow name takes, and everybody waits.
  const resolver = new Resolver({ timeout: DNS_TIMEOUT, maxTimeout: DNS_TIMEOUT, tries: DNS_TRIES });
  if (dnsServers) resolver.setServers(dnsServers);

  function forbidden(address: string): string | undefined {
    return allowLoopback && isLoopback(address) ? undefined : forbiddenRange(address);
  }

  /** What the URL alone tells. Node asks no look-up for an address. */
  function refusal(protocol: string, hostname: string): string | undefined {
    if (!allowLoopback) return protocol === "https:" ? forbiddenHost(hostname) : "webhooks go to https: addresses only";
    return isLoopback(hostname) || isLocalhost(hostname) ? undefined : forbiddenHost(hostname);
  }

  /** @throws Refused when any address is not public: a name with a public and a private one is meant to deceive. */
  async function resolve(name: string): Promise<LookupAddress[]> {
    if (allowLoopback && isLocalhost(name)) return LOCALHOST;
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.some((address) => forbidden(address) !== undefined)) throw new ConnectionRefused(NOT_PUBLIC);
    if (addresses.length === 0) {
      const failures = answers.flatMap((answer): unknown[] => (answer.status === "rejected" ? [answer.reason] : []));
      const failure = failures.find((one) => one instanceof Error && !saysNoAddress(one));
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
  // With autoSelectFamily Node asks for all addresses and tries one after the other.
  const connect = buildConnector({ timeout: timeoutMs, lookup, autoSelectFamily: true });

  return (options, callback) => {
    const reason = refusal(options.protocol, options.hostname);
    if (reason !== undefined) {
      // Later, as a failed connection would be told.
      queueMicrotask(() => callback(new ConnectionRefused(reason), null));
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error) {
        callback(error, null);
        return;
      }
      // Once more, whatever Node and undici made of the above: nothing is sent before this.
      const { remoteAddress } = socket;
      if (remoteAddress === undefined || forbidden(remoteAddress) === undefined) callback(null, socket);
      else {
        socket.destroy();
        callback(new ConnectionRefused(NOT_PUBLIC), null);
      }
    });
  };
}
