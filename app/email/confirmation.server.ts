import { readStoreMoney } from "../shops/index.server.ts";
import { FilledText } from "./filled-text.server.ts";
import { renderConfirmation, type Confirmation } from "./render.server.ts";
import { readEmailSettings } from "./settings.server.ts";
import { canSendMail, sendMail } from "./transport.server.ts";

/**
 * Emails the link with which the owner of an address confirms what was asked for with it.
 * @param confirmation.messageId the same for each attempt
 * @returns `refused` when the address or the message is refused for good, or the shop sends no emails
 * @throws when it can't be sent now
 */
export async function sendConfirmation(
  shopId: number,
  address: string,
  { messageId, ...confirmation }: Confirmation & { messageId: string },
): Promise<"sent" | "refused"> {
  const [settings, money] = await Promise.all([readEmailSettings(shopId), readStoreMoney(shopId)]);
  if (!settings || !canSendMail()) return "refused";
  const { subject, html, text } = renderConfirmation(confirmation, { ...settings, money });
  const { refuses, status, error } = await sendMail({
    ...{ subject, html: FilledText.of(html), text: FilledText.of(text) },
    sender: { name: settings.senderName, replyTo: settings.replyTo },
    recipient: { name: "", address },
    messageId,
  });
  if (refuses === null) return "sent";
  if (refuses !== "everything" && status !== null && status >= 500) return "refused";
  // What the mail server says may name the address, which no log may hold.
  throw new Error(`the mail server did not take the email (${status ?? error?.split(":")[0] ?? "no response"})`);
}
