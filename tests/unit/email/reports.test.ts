import { describe, expect, test } from "vitest";
import { readMailReport } from "../../../app/email/reports.ts";

const ID = `<batch_${"0a".repeat(16)}.7@mail.example.com>`;

const OUTCOME = [
  "Final-Recipient: rfc822; ana@example.com",
  "Action: failed",
  "Status: 5.1.1",
  "Diagnostic-Code: smtp; 550 5.1.1 no such user",
];
const RETURNED = [`Message-ID: ${ID}`, "To: Ana Berg <ana@example.com>"];
const READ = {
  message_id: ID,
  recipient: "ana@example.com",
  kind: "bounce",
  status: "5.1.1",
  reason: "550 5.1.1 no such user",
};

const email = (...parts: (readonly string[])[]): string => parts.map((part) => part.join("\r\n")).join("\r\n\r\n");

describe("a report about a message", () => {
  test("has its id, its recipient and the mail server's words", () => {
    expect(readMailReport(email(["Subject: Returned"], OUTCOME, RETURNED))).toEqual(READ);
  });

  test.each<[string, string]>([
    ["line breaks of Unix", email(OUTCOME, RETURNED).replaceAll("\r\n", "\n")],
    ["folded lines", email(OUTCOME, RETURNED).replace("550 ", "550\r\n\t").replace(": <batch", ":\r\n <batch")],
    [
      "names of fields in another case",
      email(OUTCOME, RETURNED).replaceAll(/^[\w-]+(?=:)/gm, (name) => name.toUpperCase()),
    ],
    ["a further group of the report", email(["Reporting-MTA: dns; mail.example.com"], OUTCOME, RETURNED)],
    ["an address without a name", email(OUTCOME, RETURNED).replace("Ana Berg <ana@example.com>", "ana@example.com")],
    ["no header of the message but its id", email(OUTCOME, [`References: ${ID}`])],
    [
      "a name of several lines",
      email(OUTCOME, RETURNED).replace("Ana Berg", "=?utf-8?Q?=C3=84nne?=\r\n =?utf-8?Q?_Berg?="),
    ],
  ])("is read with %s", (_what, text) => {
    expect(readMailReport(text)).toEqual(READ);
  });

  test("about a request to confirm has the request's id", () => {
    const id = ID.replace("batch", "request");
    expect(readMailReport(email(OUTCOME, [`Message-ID: ${id}`]))?.message_id).toBe(id);
  });

  test("of a forwarded message has the address to which it was sent", () => {
    const forwarded = OUTCOME.map((line) => line.replace("ana@", "elsewhere@"));
    expect(readMailReport(email(forwarded, RETURNED))?.recipient).toBe("ana@example.com");
    expect(readMailReport(email([...forwarded, "Original-Recipient: rfc822;ana@example.com"], [ID]))?.recipient).toBe(
      "ana@example.com",
    );
  });

  test("that it was delayed is no bounce, whatever its status", () => {
    const delayed = OUTCOME.map((line) => line.replace("failed", "delayed"));
    expect(readMailReport(email(delayed, RETURNED))?.status).toBe("2.0.0");
  });

  test("that it is spam is a complaint", () => {
    const complaint = ["Feedback-Type: abuse", "User-Agent: Provider/1.0", "Version: 1"];
    expect(readMailReport(email(complaint, RETURNED))).toEqual({
      message_id: ID,
      recipient: "ana@example.com",
      kind: "complaint",
    });
    expect(readMailReport(email(["Feedback-Type: not-spam"], RETURNED))).toBeUndefined();
  });

  test.each<[string, string]>([
    ["nothing", ""],
    ["a notice of absence", email(["Subject: Out of office", `In-Reply-To: ${ID}`], ["Back on Monday."])],
    ["a report about another sender's message", email(OUTCOME, ["Message-ID: <1@other.example>"])],
    ["a message of the service that is no report", email(RETURNED, ["Hello"])],
  ])("is not found in %s", (_what, text) => {
    expect(readMailReport(text)).toBeUndefined();
  });

  test.each([":", "\n", "\r\n ", "<", "<batch_", "a@", "Status: 5.1.1 ", "Action: failed\n"])(
    "of 256 KiB of %j is read in a few steps",
    (part) => {
      expect(readMailReport(part.repeat((256 * 1024) / part.length))).toBeUndefined();
    },
  );
});
