import { describe, expect, test } from "vitest";
import { addressBucket, clientAddress } from "../../app/http/client-address.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";

provideSettings({ LOG_LEVEL: "silent" });

const SOCKET = "192.0.2.1";

describe("the caller's address", () => {
  test.each<[string, string | undefined, number, string]>([
    ["no proxy is trusted: the socket's, whatever the header says", "203.0.113.9", 0, SOCKET],
    ["no proxy is trusted, and there is no header", undefined, 0, SOCKET],
    ["one proxy: what it appended", "203.0.113.9", 1, "203.0.113.9"],
    [
      "one proxy: what the caller made up stands further left",
      "198.51.100.1, 198.51.100.2, 203.0.113.9",
      1,
      "203.0.113.9",
    ],
    ["two proxies: what the outer one appended", "203.0.113.9, 192.0.2.7", 2, "203.0.113.9"],
    [
      "two proxies: what the caller made up stands further left",
      "198.51.100.1,203.0.113.9,192.0.2.7",
      2,
      "203.0.113.9",
    ],
    ["spaces around addresses mean nothing", "  203.0.113.9 ,192.0.2.7 ", 2, "203.0.113.9"],
    ["a proxy is trusted but sent no header: the socket's", undefined, 1, SOCKET],
    ["a proxy is trusted but sent an empty header: the socket's", "", 1, SOCKET],
    ["IPv6 as it was written", "2001:db8::1", 1, "2001:db8::1"],
  ])("%s", (_, forwarded, hops, expected) => {
    expect(clientAddress(SOCKET, forwarded, hops)).toBe(expected);
  });

  test("is one that a trusted proxy saw when the chain is too short", () => {
    // The caller reached the inner proxy directly, so the only entry is from that proxy.
    expect(clientAddress(SOCKET, "203.0.113.9", 2)).toBe("203.0.113.9");
  });

  test("does not move when the caller adds empty entries", () => {
    expect(clientAddress(SOCKET, ",, ,203.0.113.9", 1)).toBe("203.0.113.9");
    expect(clientAddress(SOCKET, ",,,203.0.113.9,192.0.2.7", 2)).toBe("203.0.113.9");
  });
});

describe("the address of a limit", () => {
  test.each<[string, string, string]>([
    ["an IPv4 address counts alone", "203.0.113.9", "203.0.113.9"],
    ["an IPv4 address with the port that some proxies append", "203.0.113.9:51234", "203.0.113.9"],
    ["IPv4 mapped into IPv6 is the IPv4 address", "::ffff:203.0.113.9", "203.0.113.9"],
    ["mapped and in hexadecimal", "::ffff:cb00:7109", "203.0.113.9"],
    ["mapped, in brackets and with a port", "[::ffff:203.0.113.9]:443", "203.0.113.9"],
    ["an IPv6 address counts with its /64", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["in brackets", "[2001:db8:1:2::1]", "2001:db8:1:2::/64"],
    ["in brackets with a port", "[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"],
    ["with a zone", "fe80::1%eth0", "fe80::/64"],
    ["in capitals and with leading zeros", "2001:0DB8:0001:0002:0000:0000:0000:0001", "2001:db8:1:2::/64"],
    ["loopback", "::1", "::/64"],
  ])("%s", (_, address, bucket) => {
    expect(addressBucket(address)).toBe(bucket);
  });

  test("is the /64 of an IPv6 address", () => {
    expect(addressBucket("2001:db8:0:1::1")).toBe(addressBucket("2001:db8:0:1:ffff:ffff:ffff:ffff"));
    expect(addressBucket("2001:db8:0:1::1")).not.toBe(addressBucket("2001:db8:0:2::1"));
  });

  test.each(["", "unknown", "_hidden", "203.0.113.999", "203.0.113.9, 1", "::g", "[", "]", "%", "a".repeat(10_000)])(
    "is one for all invalid addresses: %j",
    (text) => {
      expect(addressBucket(text)).toBe("unknown");
    },
  );
});
