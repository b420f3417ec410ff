import { now } from "../platform/clock.server.ts";
import { runOne, statement } from "../platform/database/database.server.ts";
import { seal } from "../platform/encryption/crypto.server.ts";
import { mailAddress } from "./address.ts";
import { SUPPRESSION_PURPOSE } from "./admission.server.ts";
import { confirmationFailed } from "./confirmation.server.ts";
import { readMessageId } from "./message-id.ts";
import type { MailReport } from "./reports.ts";
import { isAboutAddress, printable } from "./refusals.ts";

/** What became of a report. `recorded`: it counts that the message was not received; `suppressed`: and its address gets nothing more. */
export type ReportOutcome = "suppressed" | "recorded" | "ignored" | "unknown";

/** Any address: a message that was forwarded comes back with another one than the customer's. None is recorded. */
const ADDRESS = /[^\s<>"'();:,]+@[^\s<>"'();:,]+/g;

const cameBackStatement = statement<{ customer_id: string | null }>(
  "email_came_back",
  `SELECT email_came_back(p_shop_id => $1, p_batch_id => $2::uuid, p_at => $3, p_status => $4, p_error => $5, p_response => $6, p_address_sealed => $7) AS customer_id`,
);

/** What is said about a message that came back. */
interface CameBack {
  /** of the mail server */
  reason: string;
  /** the same without addresses and control characters */
  words: string;
  error: string;
  /** the address that gets nothing more, if any */
  suppressed: string | undefined;
}

/** Records that a message about alerts came back. @returns whether it is known */
async function cameBack(
  shopId: number,
  batchId: string,
  { reason, words, error, suppressed }: CameBack,
): Promise<boolean> {
  const [, code] = /(?:^|\s)([45]\d\d)(?:[\s-]|$)/.exec(reason) ?? [];
  const { customer_id } = await runOne(cameBackStatement, [
    ...[shopId, batchId, now(), code === undefined ? null : Number(code), error, words || null],
    suppressed === undefined ? null : seal(suppressed, SUPPRESSION_PURPOSE),
  ]);
  return customer_id !== null;
}

/** Records that a message came back, or that its recipient calls it spam. Its address is suppressed for the reasons for which a refusal at sending does that. */
export async function recordMailReport({
  message_id,
  recipient,
  kind,
  status,
  reason = "",
}: MailReport): Promise<ReportOutcome> {
  const id = readMessageId(message_id);
  if (!id) return "unknown";
  if (kind === "bounce" && status?.startsWith("2.")) return "ignored";
  const address = mailAddress(recipient.trim());
  // 5.0.0 says no more than that there is no more to say.
  const says = status === undefined || status === "5.0.0" ? "" : status;
  const isSuppressed =
    address !== undefined &&
    (kind === "complaint" || (!status?.startsWith("4.") && isAboutAddress(`${says} ${reason}`)));
  const words = printable(reason.replaceAll(ADDRESS, "the address"));
  const said = words || status;
  const error =
    kind === "complaint"
      ? "the recipient reported the email as spam"
      : `the email came back${said === undefined ? "" : `: ${said}`}`;
  const isKnown =
    id.subject === "request"
      ? await confirmationFailed(id.shopId, id.uuid, error, isSuppressed ? address : undefined)
      : await cameBack(id.shopId, id.uuid, { reason, words, error, suppressed: isSuppressed ? address : undefined });
  if (!isKnown) return "unknown";
  return isSuppressed ? "suppressed" : "recorded";
}
