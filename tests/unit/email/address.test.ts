import { describe, expect, test } from "vitest";
import { mailAddress } from "../../../app/email/address.ts";

const local = (length: number): string => "a".repeat(length);

describe("an address of a customer", () => {
  test.for([
    ["anna@example.com", "anna@example.com"],
    ["anna+shop@example.com", "anna+shop@example.com"],
    ["o'neil.{x}@sub.example.co.uk", "o'neil.{x}@sub.example.co.uk"],
    ["anna@bücher.example", "anna@xn--bcher-kva.example"],
    ["anna@EXAMPLE.com", "anna@example.com"],
    [
      `${local(64)}@${local(63)}.${local(63)}.${local(58)}.io`,
      `${local(64)}@${local(63)}.${local(63)}.${local(58)}.io`,
    ],
  ] as const)("is taken with its domain in ASCII: %s", ([given, taken]) => {
    expect(mailAddress(given)).toBe(taken);
  });

  test.for([
    ["no host", "anna"],
    ["no name", "@example.com"],
    ["a host without a dot", "anna@localhost"],
    ["an IP address", "anna@[127.0.0.1]"],
    ["a list", "anna@example.com,ben@example.com"],
    ["a list with names", "Anna <anna@example.com>; Ben <ben@example.com>"],
    ["two at signs", "anna@ben@example.com"],
    ["a quoted name", '"anna ben"@example.com'],
    ["a line break before the at sign", "anna\r\nBcc: ben@example.com"],
    ["a line break in the host", "anna@example.com\r\nBcc: ben@example.com"],
    ["a comment", "anna(ben)@example.com"],
    ["two dots in a row", "anna..berg@example.com"],
    ["a name of 65 characters", `${local(65)}@example.com`],
    ["255 characters", `${local(64)}@${local(63)}.${local(63)}.${local(59)}.io`],
  ] as const)("is refused with %s", ([, given]) => {
    expect(mailAddress(given)).toBeUndefined();
  });
});
