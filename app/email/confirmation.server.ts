import { formatMoney } from "../platform/text/currency.ts";
import { inStoresFormat, readStoreMoney, type StoreMoney } from "../shops/index.server.ts";
import { ownDocumentOf, pictureOf } from "./document.server.ts";
import type { FilledText } from "./filled-text.server.ts";
import { fill, oneLine } from "./liquid.server.ts";
import { readEmailSettings } from "./settings.server.ts";
import type { EmailSettings } from "./settings.ts";
import { languageOf, textsIn } from "./texts.ts";
import { canSendMail, sendMail } from "./transport.server.ts";

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
  const { refuses, status, error } = await sendMail({
    ...renderConfirmation(confirmation, { ...settings, money }),
    sender: { name: settings.senderName, replyTo: settings.replyTo },
    recipient: { name: "", address },
    messageId,
  });
  if (refuses === null) return "sent";
  if (refuses !== "everything" && status !== null && status >= 500) return "refused";
  // What the mail server says may name the address, which no log may hold.
  throw new Error(`the mail server did not take the email (${status ?? error?.split(":")[0] ?? "no response"})`);
}
