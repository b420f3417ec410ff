import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { DeliveryResult } from "../../../app/webhooks/delivery/channel.ts";
import { createSender, type SenderOptions } from "../../../app/webhooks/delivery/send.server.ts";
import { startDns, type DnsServer } from "./fixtures/dns.ts";
import { certificate, httpReceiver, rawReceiver, type Receiver } from "./fixtures/receiver.ts";

/** More than Node's threads for DNS look-ups. */
const SLOW_NAMES = 16;

let dns: DnsServer;
let plain: Receiver;
let secure: Receiver;

beforeAll(async () => {
  dns = await startDns((name, type) => {
    if (name.endsWith("slow.test")) return undefined;
    if (name === "empty.test" || (name === "receiver.test" && type === "AAAA")) return [];
    if (name === "private.test") return type === "A" ? ["10.0.0.5"] : [];
    return name === "receiver.test" ? ["127.0.0.1"] : "not found";
  });
  plain = await httpReceiver((_, response) => void response.end("plain"));
  secure = await httpReceiver((_, response) => void response.end("secure"), { tls: true });
});
afterAll(() => Promise.all([dns, plain, secure].map((one) => one.close())));

const senders: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of senders.splice(0)) await one.close();
});

function sender(options: Partial<SenderOptions> = {}): (url: string) => Promise<DeliveryResult> {
  const made = createSender({ allowLoopback: true, dnsServers: [dns.address], ...options });
  senders.push(made);
  const { send } = made.open();
  return (url) => send({ url, headers: {}, body: "{}" });
}

describe("a host name", () => {
  test("is resolved to the receiver's address", async () => {
    const result = await sender()(`http://receiver.test:${plain.port}/`);
    expect(result).toMatchObject({ ok: true, response: "plain" });
  });

  test("of this machine needs no DNS query", async () => {
    const queryCount = dns.queries.length;
    for (const name of ["localhost", "localhost.", "shop.localhost"])
      expect(await sender()(`http://${name}:${plain.port}/`)).toMatchObject({ ok: true, response: "plain" });
    expect(dns.queries).toHaveLength(queryCount);
  });

  test("without a public address gets the same error for every reason", async () => {
    // Different errors would reveal the names of a private network.
    const errors = [];
    for (const name of ["nobody.test", "empty.test", "private.test"]) {
      const { status, error } = await sender()(`https://${name}/`);
      expect(status).toBeNull();
      errors.push(error);
    }
    expect(new Set(errors)).toEqual(new Set(["refused: the host does not resolve to a public address"]));
  });

  test("whose DNS query hangs does not delay others", async () => {
    const send = sender({ timeoutMs: 1_500 });
    let stillSlow = SLOW_NAMES;
    const slow = Array.from({ length: SLOW_NAMES }, async (_, index) => {
      const result = await send(`https://${index}.slow.test/`);
      stillSlow--;
      return result;
    });
    expect(await send(`http://receiver.test:${plain.port}/`)).toMatchObject({ ok: true, response: "plain" });
    expect(stillSlow).toBe(SLOW_NAMES);
    const errors = (await Promise.all(slow)).map(({ error }) => error);
    expect(new Set(errors)).toEqual(new Set(["no complete response within 1.5 s"]));
  });
});

describe("TLS", () => {
  const system = getCACertificates();
  beforeAll(() => setDefaultCACertificates([...system, certificate]));
  afterAll(() => setDefaultCACertificates(system));

  test("accepts a trusted certificate for the host name", async () => {
    for (const name of ["localhost", "receiver.test"])
      expect(await sender()(`https://${name}:${secure.port}/`)).toMatchObject({ ok: true, response: "secure" });
  });

  test("rejects a certificate for another name", async () => {
    const { error, ok } = await sender()(`https://shop.localhost:${secure.port}/`);
    expect(ok).toBe(false);
    expect(error).toMatch(
      /^the receiver's certificate is not accepted: .*shop\.localhost.*\(ERR_TLS_CERT_ALTNAME_INVALID\)$/,
    );
  });

  test("rejects an untrusted certificate", async () => {
    setDefaultCACertificates(system);
    const result = await sender()(`https://localhost:${secure.port}/`);
    setDefaultCACertificates([...system, certificate]);
    expect(result).toMatchObject({ ok: false, status: null });
    expect(result.error).toMatch(
      /^the receiver's certificate is not accepted: self-signed .*\(DEPTH_ZERO_SELF_SIGNED_CERT\)$/,
    );
  });

  test("reports a receiver that does not use TLS", async () => {
    const { error } = await sender()(`https://localhost:${plain.port}/`);
    expect(error).toMatch(/^the TLS handshake with the receiver failed \(/);
  });

  test("ends a hanging handshake at the time-out", async () => {
    const silent = await rawReceiver(() => undefined);
    senders.push(silent);
    const result = await sender({ timeoutMs: 300 })(silent.url.replace("http:", "https:"));
    expect(result).toMatchObject({ ok: false, status: null, error: "no complete response within 0.3 s" });
  });
});
