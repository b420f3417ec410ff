import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { safeConnector } from "../../../app/webhooks/delivery/connect.server.ts";
import type { DeliveryResult } from "../../../app/webhooks/delivery/channel.ts";
import { createSender, type WebhookChannel, type Sender } from "../../../app/webhooks/delivery/send.server.ts";
import { startDns, type DnsServer } from "./fixtures/dns.ts";
import { anyConnection, certificate, httpReceiver, type Receiver } from "./fixtures/receiver.ts";

/** Addresses of both families by name. */
const NAMES = new Map<string, readonly string[]>([
  ["loopback.test", ["127.0.0.1"]],
  ["loopback6.test", ["::1"]],
  ["zero.test", ["0.0.0.0"]],
  ["private.test", ["10.0.0.5"]],
  ["private6.test", ["fd00::5"]],
  ["metadata.test", ["169.254.169.254"]],
  ["mapped.test", ["::ffff:127.0.0.1"]],
  ["nat64.test", ["64:ff9b::7f00:1"]],
  ["6to4.test", ["2002:7f00:1::1"]],
  ["public-first.test", ["8.8.8.8", "127.0.0.1"]],
  ["public-last.test", ["127.0.0.1", "8.8.8.8"]],
  ["public-ipv4.test", ["8.8.8.8", "::1"]],
  ["public-ipv6.test", ["2606:4700:4700::1111", "10.0.0.5"]],
]);

/** A public address without a host: the former 6bone, returned in 2006. */
const NOBODYS = "3ffe::1";

/** The IPv4 address of `rebind.test`, once set. */
let rebound: string | undefined;

function lookUp(name: string, type: "A" | "AAAA"): readonly string[] | "not found" {
  if (name === "rebind.test") {
    const address = rebound ?? NOBODYS;
    return address.includes(":") === (type === "AAAA") ? [address] : [];
  }
  return NAMES.get(name)?.filter((address) => address.includes(":") === (type === "AAAA")) ?? "not found";
}

let dns: DnsServer;
let listener: Receiver;
let sender: Sender;
let channel: WebhookChannel;

beforeAll(async () => {
  dns = await startDns(lookUp);
  listener = await anyConnection();
  sender = createSender({ allowLoopback: false, timeoutMs: 2_000, dnsServers: [dns.address] });
  channel = sender.open();
});
afterAll(async () => {
  await sender.close();
  await listener.close();
  await dns.close();
});

function sendTo(host: string): Promise<DeliveryResult> {
  return channel.send({ url: `https://${host}:${listener.port}/hook`, headers: {}, body: "{}" });
}

/** The same for every private address: an attempt's error must not reveal internal addresses. */
const NOT_PUBLIC = "the host does not resolve to a public address";

describe("the sender refuses and does not connect to", () => {
  const loopback = "127.0.0.1 is a loopback address";
  const zero = "0.0.0.0 is an unspecified address";
  const embedded = "an IPv4 address inside an IPv6 address";
  test.each<[host: string, reason: string]>([
    ["127.0.0.1", loopback],
    ["127.0.0.1.", loopback],
    ["127.1", loopback],
    ["127.0.1", loopback],
    ["127.255.255.254", "127.255.255.254 is a loopback address"],
    ["2130706433", loopback],
    ["0x7f000001", loopback],
    ["0x7f.1", loopback],
    ["0x7F.0.0.0x1", loopback],
    ["017700000001", loopback],
    ["0177.0.0.1", loopback],
    ["0177.0x0.0.01", loopback],
    ["%31%32%37.0.0.1", loopback],
    ["１２７.0.0.1", loopback],
    ["127。0。0。1", loopback],
    ["①②⑦.0.0.1", loopback],
    ["user:pass@127.0.0.1", loopback],
    ["public.example@127.0.0.1", loopback],
    ["0", zero],
    ["0.0.0.0", zero],
    ["0x0", zero],
    ["0.0.0.1", "0.0.0.1 is an unspecified address"],
    ["10.0.0.5", "10.0.0.5 is a private address"],
    ["167772165", "10.0.0.5 is a private address"],
    ["012.0.0.5", "10.0.0.5 is a private address"],
    ["172.16.0.1", "172.16.0.1 is a private address"],
    ["192.168.1.1", "192.168.1.1 is a private address"],
    ["192.168.257", "192.168.1.1 is a private address"],
    ["100.64.0.1", "100.64.0.1 is an address inside a provider's network"],
    ["100.100.100.200", "100.100.100.200 is an address inside a provider's network"],
    ["169.254.169.254", "169.254.169.254 is a link-local address"],
    ["0xa9fea9fe", "169.254.169.254 is a link-local address"],
    ["192.0.0.192", "192.0.0.192 is a reserved address"],
    ["198.18.0.1", "198.18.0.1 is a reserved address"],
    ["224.0.0.1", "224.0.0.1 is a multicast address"],
    ["240.0.0.1", "240.0.0.1 is a reserved address"],
    ["255.255.255.255", "255.255.255.255 is the broadcast address"],
    ["[::]", ":: is an unspecified address"],
    ["[::1]", "::1 is a loopback address"],
    ["[0:0:0:0:0:0:0:1]", "::1 is a loopback address"],
    ["[::127.0.0.1]", "::7f00:1 is a reserved address"],
    ["[::ffff:127.0.0.1]", `::ffff:7f00:1 is ${embedded}`],
    ["[::ffff:7f00:1]", `::ffff:7f00:1 is ${embedded}`],
    ["[::ffff:a9fe:a9fe]", `::ffff:a9fe:a9fe is ${embedded}`],
    ["[::ffff:0:127.0.0.1]", `::ffff:0:7f00:1 is ${embedded}`],
    ["[64:ff9b::127.0.0.1]", `64:ff9b::7f00:1 is ${embedded}`],
    ["[64:ff9b:1::a00:5]", `64:ff9b:1::a00:5 is ${embedded}`],
    ["[2002:7f00:1::]", `2002:7f00:1:: is ${embedded}`],
    ["[2001:0:7f00:1::]", `2001:0:7f00:1:: is ${embedded}`],
    ["[2001:db8::1]", "2001:db8::1 is a reserved address"],
    ["[fd00:ec2::254]", "fd00:ec2::254 is a private address"],
    ["[fe80::1]", "fe80::1 is a link-local address"],
    ["[fec0::1]", "fec0::1 is a private address"],
    ["[ff02::1]", "ff02::1 is a multicast address"],
    ["localhost", "localhost is a name of a local network"],
    ["LOCALHOST", "localhost is a name of a local network"],
    ["localhost.", "localhost. is a name of a local network"],
    ["ｌocalhost", "localhost is a name of a local network"],
    ["shop.localhost", "shop.localhost is a name of a local network"],
    ["postgres", "postgres is a name of a local network"],
    ["printer.local", "printer.local is a name of a local network"],
    ["metadata.google.internal", "metadata.google.internal is a name of a local network"],
    ["nas.home.arpa.", "nas.home.arpa. is a name of a local network"],
    ["loopback.test", NOT_PUBLIC],
    ["LOOPBACK.test", NOT_PUBLIC],
    ["loopback.test.", NOT_PUBLIC],
    ["loopback6.test", NOT_PUBLIC],
    ["zero.test", NOT_PUBLIC],
    ["private.test", NOT_PUBLIC],
    ["private6.test", NOT_PUBLIC],
    ["metadata.test", NOT_PUBLIC],
    ["mapped.test", NOT_PUBLIC],
    ["nat64.test", NOT_PUBLIC],
    ["6to4.test", NOT_PUBLIC],
    ["public-first.test", NOT_PUBLIC],
    ["public-last.test", NOT_PUBLIC],
    ["public-ipv4.test", NOT_PUBLIC],
    ["public-ipv6.test", NOT_PUBLIC],
  ])("%s: %s", async (host, reason) => {
    expect(await sendTo(host)).toMatchObject({ ok: false, status: null, error: `refused: ${reason}` });
    expect(listener.connections).toEqual([]);
  });

  test("a URL that is not https:", async () => {
    const url = `http://127.0.0.1:${listener.port}/`;
    const { error } = await channel.send({ url, headers: {}, body: "{}" });
    expect(error).toBe("refused: webhooks go to https: addresses only");
    expect(listener.connections).toEqual([]);
  });

  test("a name whose address has changed to a private one", async () => {
    const before = await sendTo("rebind.test");
    expect(before.error).not.toMatch(/^refused/);
    const queries = dns.queries.filter((query) => query.endsWith(" rebind.test"));
    expect(queries.toSorted()).toEqual(["A rebind.test", "AAAA rebind.test"]);

    rebound = "127.0.0.1";
    const { error } = await sendTo("rebind.test");
    expect(error).toBe(`refused: ${NOT_PUBLIC}`);
    expect(listener.connections).toEqual([]);
  });
});

describe("with loopback allowed", () => {
  const lenient = createSender({ allowLoopback: true, timeoutMs: 2_000 });
  afterAll(() => lenient.close());

  test.each<[host: string, reason: string]>([
    ["10.0.0.5", "10.0.0.5 is a private address"],
    ["169.254.169.254", "169.254.169.254 is a link-local address"],
    ["0.0.0.0", "0.0.0.0 is an unspecified address"],
    ["[::ffff:127.0.0.1]", "::ffff:7f00:1 is an IPv4 address inside an IPv6 address"],
    ["metadata.google.internal", "metadata.google.internal is a name of a local network"],
  ])("%s is still refused", async (host, reason) => {
    const url = `http://${host}:${listener.port}/`;
    const { error } = await lenient.open().send({ url, headers: {}, body: "{}" });
    expect(error).toBe(`refused: ${reason}`);
  });
});

describe("the sender", () => {
  const trusted = getCACertificates();
  const sockets: Socket[] = [];
  let receiver: Receiver;
  beforeAll(async () => {
    setDefaultCACertificates([...trusted, certificate]);
    receiver = await httpReceiver((_, response) => void response.end(), { tls: true });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await receiver.close();
  });

  test("drops a connection to an unexpected address before it sends", async () => {
    const detour = connect(receiver.port, "127.0.0.1");
    sockets.push(detour);
    await once(detour, "connect");
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    safeConnector({ allowLoopback: false, timeoutMs: 10_000 })(
      { protocol: "https:", hostname: "8.8.8.8", port: "443", servername: "localhost", httpSocket: detour },
      (...[error]) => resolve(error),
    );
    expect((await promise)?.message).toBe(`refused: ${NOT_PUBLIC}`);
    await once(detour, "close");
  });
});
