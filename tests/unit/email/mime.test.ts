import { describe, expect, test } from "vitest";
import { FilledText, placeholderOf, toPattern } from "../../../app/email/filled-text.server.ts";
import { quotedPrintable, toMime, type Mail } from "../../../app/email/mime.server.ts";

/** Decodes quoted-printable, by the rules of RFC 2045 and not by ours. */
const decode = (text: string): string =>
  Buffer.from(
    text
      .replaceAll("=\r\n", "")
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");

const filled = (text: string, ...values: string[]) => new FilledText(toPattern(text), values);

describe("a text", () => {
  test("has each value in its places, whatever the value looks like", () => {
    const text = `Hello ${placeholderOf(0)}, ${placeholderOf(1)}/withdraw ${placeholderOf(0)}`;
    expect(String(filled(text, "$& {{ x }}", placeholderOf(0)))).toBe(
      `Hello $& {{ x }}, ${placeholderOf(0)}/withdraw $& {{ x }}`,
    );
  });

  test.for([
    ["a value at the start and the end", `${placeholderOf(0)} and ${placeholderOf(0)}`, "=é"],
    [
      "lines of any length and of any break",
      `${"x".repeat(300)}${placeholderOf(0)}\n\n.${"ü".repeat(99)} \r\n\tend `,
      "a\nb",
    ],
    ["values beside each other", `${placeholderOf(0)}${placeholderOf(1)}`, "値下げ".repeat(40)],
    ["nothing but a line break before a value", `\n${placeholderOf(0)}`, "--=_part"],
    ...[74, 75, 76, 77, 150, 151, 152].map((n) => [
      `${n} characters before a value`,
      `${"x".repeat(n)}${placeholderOf(0)}`,
      "y",
    ]),
    ["nothing", "", ""],
  ])("in quoted-printable is the same text in lines of at most 76 characters: %s", ([, text = "", value = ""]) => {
    const body = filled(text, value, " 2");
    const encoded = quotedPrintable(body);
    expect(decode(encoded)).toBe(String(body).replaceAll(/\r\n?|\n/g, "\r\n"));
    for (const line of encoded.split("\r\n")) expect(line).toMatch(/^[\x20-\x7e\t]{0,76}$/);
    expect(encoded).not.toContain("=_");
  });
});

describe("a message", () => {
  const mail: Mail = {
    sender: { name: "Lamps & more\r\nBcc: eve@example.com", replyTo: "help@lamps.example\r\nBcc: eve@example.com" },
    recipient: { name: 'Änna "B", <x@y>', address: "anna@example.com" },
    subject: "Now €79\r\nBcc: eve@example.com",
    html: FilledText.of("<p>--=_part--</p>"),
    text: FilledText.of("--=_part\nContent-Type: text/evil"),
    messageId: "batch_1",
    unsubscribeUrl: "https://lamps.example/apps/wishlist/alerts/1/withdraw/all",
  };

  test("has no header that a name or a subject with line breaks would add", () => {
    const [head = ""] = toMime(mail, "wishlist@mail.example").split("\r\n\r\n");
    const names = head.split(/\r\n(?![ \t])/).map((line) => line.slice(0, line.indexOf(":")));
    expect(names).toEqual([
      ...["From", "Reply-To", "To", "Subject", "Message-ID", "Date", "Auto-Submitted"],
      ...["List-Unsubscribe", "List-Unsubscribe-Post", "MIME-Version", "Content-Type"],
    ]);
    expect(head).toMatch(/^[\x20-\x7e\r\n]*$/);
    expect(head).toContain("Message-ID: <batch_1@mail.example>");
  });

  test("has two parts, whatever its bodies contain", () => {
    expect(toMime(mail, "wishlist@mail.example").match(/^--=_part(--)?\r$/gm)).toHaveLength(3);
  });
});
