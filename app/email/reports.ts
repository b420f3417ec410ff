import { z } from "zod";
import { findMessageId } from "./message-id.ts";

// What mail servers and providers report about messages that they had accepted: a message that came back (RFC 3464), or that its recipient calls spam
// (RFC 5965).

const reportSchema = z.strictObject({
  /** of the message, as it was sent */
  message_id: z.string().max(998),
  recipient: z.string().max(320),
  kind: z.enum(["bounce", "complaint"]),
  /** as in RFC 3463, such as 5.1.1; a bounce without one is final */
  status: z
    .string()
    .regex(/^[245]\.\d{1,3}\.\d{1,3}$/, "must be a status such as 5.1.1")
    .optional(),
  /** in the words of the mail server */
  reason: z.string().max(2_000).optional(),
});

export type MailReport = z.output<typeof reportSchema>;

/** Reports of a provider, which somebody has brought into this form. */
export const mailReportsBody = z.strictObject({ reports: z.array(reportSchema).min(1).max(100) });

/** Returns the fields of a header or of a group of a report, by their names in lower case; the first of each name. */
function fieldsOf(block: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (/^[\w-]+$/.test(name) && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

/** Returns the value behind the type of a field such as `rfc822; ana@example.com`. */
const typed = (field = ""): string => field.slice(field.indexOf(";") + 1).trim();

/** Characters of an address that are read, as of one in JSON. */
const MAX_RECIPIENT = 320;

/** Returns the address of a header field such as `Ana <ana@example.com>`. */
const addressOf = (field: string): string => /<([^<>]*)>\s*$/.exec(field)?.[1] ?? field;

/**
 * Reads a report as a mail server sends it to the sender of a message: the whole email, with the header of the message that it is about.
 * @returns undefined when it names no message of this service or no outcome
 */
export function readMailReport(text: string): MailReport | undefined {
  const blocks = text
    .replaceAll("\r\n", "\n")
    .replaceAll(/\n[ \t]+(?=\S)/g, " ")
    .split(/\n[ \t]*\n/)
    .map(fieldsOf);
  const message_id = findMessageId(text);
  if (message_id === undefined) return undefined;
  const complaint = blocks.find((fields) => fields.has("feedback-type"));
  const outcome = blocks.find((fields) => fields.has("final-recipient") && fields.has("action"));
  // The header of the returned message has the address that it was sent to; the final one can be that of a forwarding.
  const returned = blocks.find((fields) => fields.get("message-id")?.includes(message_id));
  const to = returned?.get("to");
  const recipientOr = (field: string | undefined): string =>
    (to === undefined ? typed(field) : addressOf(to)).slice(0, MAX_RECIPIENT);
  if (complaint) {
    if (complaint.get("feedback-type")?.toLowerCase() !== "abuse") return undefined;
    return { message_id, recipient: recipientOr(complaint.get("original-rcpt-to")), kind: "complaint" };
  }
  if (!outcome) return undefined;
  const recipient = recipientOr(outcome.get("original-recipient") ?? outcome.get("final-recipient"));
  const [status] = /^[245]\.\d{1,3}\.\d{1,3}/.exec(outcome.get("status") ?? "") ?? [];
  const hasFailed = outcome.get("action")?.toLowerCase() === "failed";
  const reason = typed(outcome.get("diagnostic-code")).slice(0, 2_000);
  return {
    message_id,
    recipient,
    kind: "bounce",
    // A message that is delayed or was delivered has not come back, whatever its status says.
    ...(hasFailed ? status !== undefined && { status } : { status: "2.0.0" }),
    ...(reason !== "" && { reason }),
  };
}
