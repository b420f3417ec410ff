import { now } from "../platform/clock.server.ts";
import { runOne, statement } from "../platform/database/database.server.ts";
import { seal } from "../platform/encryption/crypto.server.ts";
import { formatMoney } from "../platform/text/currency.ts";
import { inStoresFormat, readStoreMoney, type StoreMoney } from "../shops/index.server.ts";
import { SUPPRESSION_PURPOSE } from "./admission.server.ts";
import { ownDocumentOf, pictureOf } from "./document.server.ts";
import type { FilledText } from "./filled-text.server.ts";
import { fill, oneLine } from "./liquid.server.ts";
import { messageIdOf } from "./message-id.ts";
import { readEmailSettings } from "./settings.server.ts";
import type { EmailSettings } from "./settings.ts";
import { languageOf, textsIn } from "./texts.ts";
import { canSendMail, sendMail, withoutAddress } from "./transport.server.ts";

/** What somebody without an account is asked to confirm. */
interface Confirmation {
  kind: "back_in_stock" | "price_dropped";
  productTitle: string;
  variantTitle: string | null;
  imageUrl: string | null;
  /** the price at which to tell */
  targetPrice: string | null;
  currency: string | null;
  locale: string | null;
  /** confirms; a GET of it only asks */
  url: string;
}

type Settings = Pick<EmailSettings, "senderName" | "accent" | "logoUrl" | "postalAddress"> & { money: StoreMoney };

/** Renders the message with which the owner of an address confirms what was asked for with it. */
function renderConfirmation(
  { kind, productTitle, variantTitle, imageUrl, targetPrice, currency, locale, url }: Confirmation,
  { senderName: shop, accent, logoUrl: logo, postalAddress, money }: Settings,
): { subject: string; html: FilledText; text: FilledText } {
  const language = languageOf(locale);
  const texts = textsIn(language);
  const title = variantTitle === null ? productTitle : `${productTitle}, ${variantTitle}`;
  const price =
    targetPrice === null || currency === null
      ? targetPrice
      : (inStoresFormat(targetPrice, currency, money) ?? formatMoney(Number(targetPrice), currency, language));
  const subject = oneLine(fill(texts.subject_confirm, { product: productTitle }));
  const introduction = fill(
    price === null ? texts[`introduction_confirm_${kind}`] : texts.introduction_confirm_target,
    { shop, price },
  );
  const document = ownDocumentOf({
    ...{ language, subject, introduction, greeting: "", more: "", shop, accent, logo, postalAddress },
    products: [{ title, url, image: pictureOf(imageUrl), variants: [] }],
    reason: fill(texts.because_confirm, { shop }),
    action: texts.confirm,
    links: undefined,
  });
  return { subject, ...document };
}

const failedStatement = statement<{ found: boolean }>(
  "alert_request_came_back",
  "SELECT alert_request_came_back(p_shop_id => $1, p_id => $2::uuid, p_at => $3, p_error => $4, p_address_sealed => $5) AS found",
);

/**
 * Ends a request that nobody can confirm, because the email did not arrive.
 * @param error as it is stored, without the address
 * @param suppressed the address that gets nothing more, if any
 * @returns whether the request is known
 */
export async function confirmationFailed(
  shopId: number,
  requestId: string,
  error: string,
  suppressed: string | undefined,
): Promise<boolean> {
  const sealed = suppressed === undefined ? null : seal(suppressed, SUPPRESSION_PURPOSE);
  return (await runOne(failedStatement, [shopId, requestId, now(), error, sealed])).found;
}

/**
 * Emails the link with which the owner of an address confirms what was asked for with it. A request whose email is refused for good ends, as all of a shop
 * that sends no emails do.
 * @throws when it can't be sent now
 */
export async function sendConfirmation(
  shopId: number,
  address: string,
  { requestId, ...confirmation }: Confirmation & { requestId: string },
): Promise<void> {
  const [settings, money] = await Promise.all([readEmailSettings(shopId), readStoreMoney(shopId)]);
  if (!settings || !canSendMail()) {
    await confirmationFailed(shopId, requestId, "no emails are sent", undefined);
    return;
  }
  const result = await sendMail({
    ...renderConfirmation(confirmation, { ...settings, money }),
    sender: { name: settings.senderName, replyTo: settings.replyTo },
    recipient: { name: "", address },
    messageId: messageIdOf("request", requestId, shopId),
  });
  const { refuses, status, error } = withoutAddress(result, address);
  if (refuses === null) return;
  if (refuses !== "everything" && status !== null && status >= 500) {
    await confirmationFailed(shopId, requestId, error ?? "", refuses === "address" ? address : undefined);
    return;
  }
  // What the mail server says may name the address, which no log may hold.
  throw new Error(`the mail server did not take the email (${status ?? error?.split(":")[0] ?? "no response"})`);
}
