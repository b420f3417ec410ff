import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forbiddenAddress, forbiddenHost, isLocalhost, isLoopback } from "../../../app/webhooks/delivery/addresses.ts";

describe("a public address is allowed:", () => {
  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2001:4860:4860::8888",
    "2001:200::1",
    "2606:4700:4700::1111",
    "2a00:1450:4001:80b::200e",
    "2003::1",
    "3ffe::1",
  ])("%s", (address) => {
    expect(forbiddenAddress(address)).toBeUndefined();
  });
});

describe("any other address is refused:", () => {
  const embedded = "an IPv4 address inside an IPv6 address";
  test.each<[string, string]>([
    ["0.0.0.0", "an unspecified address"],
    ["0.255.255.255", "an unspecified address"],
    ["10.0.0.0", "a private address"],
    ["10.255.255.255", "a private address"],
    ["100.64.0.0", "an address inside a provider's network"],
    ["100.127.255.255", "an address inside a provider's network"],
    ["127.0.0.1", "a loopback address"],
    ["127.255.255.255", "a loopback address"],
    ["169.254.0.0", "a link-local address"],
    ["169.254.169.254", "a link-local address"],
    ["172.16.0.0", "a private address"],
    ["172.31.255.255", "a private address"],
    ["192.0.0.0", "a reserved address"],
    ["192.0.0.192", "a reserved address"],
    ["192.0.2.1", "a reserved address"],
    ["192.31.196.1", "a reserved address"],
    ["192.52.193.1", "a reserved address"],
    ["192.88.99.1", "a reserved address"],
    ["192.168.0.0", "a private address"],
    ["192.168.255.255", "a private address"],
    ["192.175.48.1", "a reserved address"],
    ["198.18.0.0", "a reserved address"],
    ["198.19.255.255", "a reserved address"],
    ["198.51.100.1", "a reserved address"],
    ["203.0.113.1", "a reserved address"],
    ["224.0.0.1", "a multicast address"],
    ["239.255.255.255", "a multicast address"],
    ["240.0.0.0", "a reserved address"],
    ["255.255.255.254", "a reserved address"],
    ["255.255.255.255", "the broadcast address"],
    ["::", "an unspecified address"],
    ["::1", "a loopback address"],
    ["0:0:0:0:0:0:0:1", "a loopback address"],
    ["::7f00:1", "a reserved address"],
    ["::127.0.0.1", embedded],
    ["::8.8.8.8", embedded],
    ["::ffff:127.0.0.1", embedded],
    ["::ffff:7f00:1", embedded],
    ["::ffff:8.8.8.8", embedded],
    ["::ffff:0:127.0.0.1", embedded],
    ["64:ff9b::7f00:1", embedded],
    ["64:ff9b::8.8.8.8", embedded],
    ["64:ff9b:1::a00:1", embedded],
    ["64:ff9b:2::1", "a reserved address"],
    ["100::1", "a reserved address"],
    ["2001::1", embedded],
    ["2001:2::1", "a reserved address"],
    ["2001:10::1", "a reserved address"],
    ["2001:20::1", "a reserved address"],
    ["2001:30::1", "a reserved address"],
    ["2001:1ff::1", "a reserved address"],
    ["2001:db8::1", "a reserved address"],
    ["2002:7f00:1::", embedded],
    ["2002:808:808::1", embedded],
    ["2620:4f:8000::1", "a reserved address"],
    ["3fff::1", "a reserved address"],
    ["3fff:fff::1", "a reserved address"],
    ["4000::1", "a reserved address"],
    ["5f00::1", "a reserved address"],
    ["fc00::1", "a private address"],
    ["fd12:3456:789a::1", "a private address"],
    ["fe80::1", "a link-local address"],
    ["fe80::1%eth0", "a link-local address"],
    ["2606:4700:4700::1111%eth0", "an address of a local network"],
    ["fec0::1", "a private address"],
    ["ff02::1", "a multicast address"],
  ])("%s is %s", (address, range) => {
    expect(forbiddenAddress(address)).toBe(`${address} is ${range}`);
  });

  test.each([
    "",
    "8.8.8",
    "134744072",
    "0x8.0x8.0x8.0x8",
    "010.8.8.8",
    "8.8.8.8:443",
    "8.8.8.256",
    "8.8.8.8 ",
    " 8.8.8.8",
    "8.8.8.8\n",
    "[2606:4700:4700::1111]",
    "2606:4700:4700:::1111",
    "2606:4700:4700::1111/64",
    "2606:4700:4700::1111%",
    "example.com",
  ])("%j, which is not an unambiguous address", (text) => {
    expect(forbiddenAddress(text)).toBe(`${text} is not an IP address`);
  });

  test("IPv6 outside 2000::/3", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        fc.pre((bytes[0] ?? 0) >> 5 !== 1);
        const groups = Array.from({ length: 8 }, (_, i) =>
          Buffer.from(bytes)
            .readUInt16BE(i * 2)
            .toString(16),
        );
        expect(forbiddenAddress(groups.join(":"))).toBeDefined();
      }),
    );
  });
});

test("loopback is 127.0.0.0/8 and ::1 only", () => {
  expect(["127.0.0.1", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1"].filter(isLoopback)).toHaveLength(4);
  expect(["::ffff:127.0.0.1", "0.0.0.0", "::", "localhost", "10.0.0.1", "64:ff9b::7f00:1"].filter(isLoopback)).toEqual(
    [],
  );
});

describe("a host before the look-up:", () => {
  test.each([
    "localhost",
    "LocalHost",
    "localhost.",
    "localhost..",
    "shop.localhost",
    "shop.localhost.",
    "printer.local",
    "metadata.google.internal",
    "metadata.google.internal.",
    "internal",
    "nas.home.arpa",
    "postgres",
    "postgres.",
    "",
  ])("%j is refused as a local name", (hostname) => {
    expect(forbiddenHost(hostname)).toBe(`${hostname} is a name of a local network`);
  });

  test.each<[string, string]>([
    ["127.0.0.1", "127.0.0.1 is a loopback address"],
    ["[::1]", "::1 is a loopback address"],
    ["::1", "::1 is a loopback address"],
    ["[fe80::1]", "fe80::1 is a link-local address"],
    ["[::ffff:7f00:1]", "::ffff:7f00:1 is an IPv4 address inside an IPv6 address"],
  ])("%s: %s", (hostname, reason) => {
    expect(forbiddenHost(hostname)).toBe(reason);
  });

  test.each([
    "example.com",
    "example.com.",
    "localhost.example.com",
    "notlocalhost.com",
    "my-local.shop",
    "8.8.8.8",
    "[2606:4700:4700::1111]",
  ])("%s is accepted", (hostname) => {
    expect(forbiddenHost(hostname)).toBeUndefined();
  });

  test("localhost is distinguished from similar names", () => {
    expect(["localhost", "localhost.", "LOCALHOST", "a.b.localhost"].filter(isLocalhost)).toHaveLength(4);
    expect(["localhost.com", "notlocalhost", "127.0.0.1", "local"].filter(isLocalhost)).toEqual([]);
  });
});
