import { z } from "zod";
import { ALERT_KINDS, alertKindSchema, type AlertKind } from "../alerts/kinds.ts";
import { inStoresFormat, type StoreMoney } from "../shops/index.server.ts";
import { documentOf, pictureOf, type Content, type Shown } from "./document.server.ts";
import { placeholderOf, type FilledText } from "./filled-text.server.ts";
import { fill, filled, oneLine } from "./liquid.server.ts";
import type { EmailSettings } from "./settings.ts";
import { languageOf, textsIn, type Texts } from "./texts.ts";

/** Products and variants of a product that a message shows. */
const SHOWN = { products: 20, variants: 5 } as const;
const item = z.object({
  variantTitle: z.string().nullable(),
  kinds: z.array(alertKindSchema),
  price: z.string(),
  previousPrice: z.string().nullable().catch(null),
  /** in the customer's language */
  formattedPrice: z.string(),
  formattedPreviousPrice: z.string().nullable().catch(null),
  inventory: z.number().nullable().catch(null),
});

/** What a message needs of the body of an alert's event. */
const alertSchema = z.object({
  event: z.string(),
  data: z.object({
    alertId: z.string(),
    // An event of a process of the release before has none.
    requested: z.boolean().catch(false),
    consent: z.object({ basis: z.enum(["shopper", "none"]) }),
    url: z.url(),
    productTitle: z.string(),
    imageUrl: z.url().nullable().catch(null),
    locale: z.string().nullable(),
    currency: z.string(),
    items: z.array(item).min(1),
  }),
});

export type EmailAlert = z.output<typeof alertSchema>["data"] & { kind: AlertKind };

/** Reads an alert from the body of its event. @throws ZodError for the body of another event */
export function toEmailAlert(body: string): EmailAlert {
  const { event, data } = alertSchema.parse(JSON.parse(body));
  return { ...data, kind: alertKindSchema.parse(event.replace("wishlist.alert.", "")) };
}

export interface RenderedMessage<Body = string> {
  subject: string;
  html: Body;
  text: Body;
  /** ends all messages to the customer */
  unsubscribeUrl: string;
}

/** The kind that a message about several is of. */
const PRECEDENCE: readonly AlertKind[] = ["back_in_stock", "price_dropped", "low_stock", "reminder_due"];

/** Returns the service's own texts of a message. Products that were asked for are in no list. */
function standardTexts(
  texts: Texts,
  kind: AlertKind,
  { isSeveral, isRequested }: { isSeveral: boolean; isRequested: boolean },
): { subject: string; introduction: string; because?: string } {
  const subject = texts[`subject_${kind}`];
  if (!isRequested) {
    if (isSeveral) return { subject: texts.subject_several, introduction: texts.introduction_several };
    return { subject, introduction: texts[`introduction_${kind}`] };
  }
  const because = texts.because_of_request;
  if (isSeveral)
    return { subject: texts.subject_several_requested, introduction: texts.introduction_several_requested, because };
  const introduction =
    kind === "back_in_stock" ? texts.introduction_requested_back_in_stock : texts.introduction_requested_price_dropped;
  return { subject, introduction, because };
}

/** Returns what the message shows of an alert's product: the variants of which it may tell. */
function shownProduct(
  { productTitle: title, imageUrl, items, currency }: EmailAlert,
  url: string,
  { texts, money, kinds }: { texts: Texts; money: StoreMoney; kinds: readonly AlertKind[] },
): Shown {
  const priceOf = (amount: string, inLanguage: string): string => inStoresFormat(amount, currency, money) ?? inLanguage;
  const variants = items
    .filter((one) => one.kinds.some((kind) => kinds.includes(kind)))
    .slice(0, SHOWN.variants)
    .map((one) => ({
      title: one.variantTitle,
      price: priceOf(one.price, one.formattedPrice),
      before:
        one.kinds.includes("price_dropped") && one.previousPrice !== null && one.formattedPreviousPrice !== null
          ? priceOf(one.previousPrice, one.formattedPreviousPrice)
          : undefined,
      notes: [
        ...(one.kinds.includes("back_in_stock") ? [texts.back_in_stock] : []),
        ...(one.kinds.includes("low_stock") && one.inventory !== null
          ? [fill(texts.few_left, { n: one.inventory })]
          : []),
      ],
    }));
  return { title, url, image: pictureOf(imageUrl), variants };
}

/** Path below an alert's link that ends all messages to its customer. */
const WITHDRAWAL = "/withdraw/all";
/** Indexes of the values of a message; those of the products' links follow. */
const VALUE = { subject: 0, greeting: 1, listUrl: 2, firstUrl: 3 } as const;

/** Renders the message with the alerts of a customer, as `composeMessage` does. */
export function renderMessage(...parameters: Parameters<typeof composeMessage>): RenderedMessage {
  const { html, text, ...rest } = composeMessage(...parameters);
  return { ...rest, html: String(html), text: String(text) };
}

/**
 * Composes the message with the alerts of a customer.
 * @param alerts at least one
 * @param customer undefined for a customer whose name is unknown
 * @param settings.money how the store writes prices; those in another currency, or before the format is known, are in the customer's language
 * @param kinds those of which the message may tell
 */
export function composeMessage(
  alerts: readonly EmailAlert[],
  customer: string | undefined,
  settings: Omit<EmailSettings, "version" | "weeklyLimit" | "replyTo"> & { money: StoreMoney },
  kinds: readonly AlertKind[] = ALERT_KINDS,
): RenderedMessage<FilledText> {
  const sorted = alerts.toSorted((one, other) => PRECEDENCE.indexOf(one.kind) - PRECEDENCE.indexOf(other.kind));
  const [first] = sorted;
  if (!first) throw new Error("a message has no alerts");
  const language = languageOf(first.locale);
  const texts = textsIn(language);
  const { senderName: shop, accent, logoUrl, postalAddress, money } = settings;
  const products = sorted
    .slice(0, SHOWN.products)
    .map((alert, n) => shownProduct(alert, placeholderOf(VALUE.firstUrl + n), { texts, money, kinds }));
  const others = sorted.length - 1;
  const kind = kinds.includes(first.kind)
    ? first.kind
    : (PRECEDENCE.find((one) => first.items.some((each) => each.kinds.includes(one)) && kinds.includes(one)) ??
      first.kind);
  const [variant] = products[0]?.variants ?? [];
  const shown = {
    product: first.productTitle,
    price: variant?.price ?? "",
    previous_price: variant?.before ?? "",
    customer: customer ?? "",
    shop,
    others,
  };
  const own = settings.texts[kind];
  const standard = standardTexts(texts, kind, {
    isSeveral: others > 0,
    isRequested: sorted.every((one) => one.requested),
  });
  const subject = oneLine(filled(own.subject, standard.subject, shown));
  const introduction = filled(own.introduction, standard.introduction, shown);
  const greeting = customer === undefined ? "" : fill(texts.greeting, { name: customer });
  const hidden = sorted.length - products.length;
  const more = hidden > 0 ? fill(texts.more, { n: hidden }) : "";
  const reason = fill(
    standard.because ?? (first.consent.basis === "shopper" ? texts.because_requested : texts.because_saved),
    {
      shop,
    },
  );
  const listUrl = first.url.replace(/\/alerts\/[^/]*$/, "");
  const values = [subject, greeting, listUrl, ...sorted.slice(0, SHOWN.products).map(({ url }) => url)];
  const content: Content = {
    ...{ language, introduction, products, more, reason, shop, accent, logo: logoUrl, postalAddress },
    subject: placeholderOf(VALUE.subject),
    greeting: greeting === "" ? "" : placeholderOf(VALUE.greeting),
    action: undefined,
    links: { list: placeholderOf(VALUE.listUrl), unsubscribe: `${placeholderOf(VALUE.firstUrl)}${WITHDRAWAL}` },
  };
  return { subject, unsubscribeUrl: first.url + WITHDRAWAL, ...documentOf(content, values) };
}
