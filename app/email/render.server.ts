import { Liquid, type Template } from "liquidjs";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { ALERT_KINDS, alertKindSchema, type AlertKind } from "../alerts/kinds.ts";
import { inMoneyFormat, type StoreMoney } from "../shops/index.server.ts";
import type { EmailLanguage, EmailSettings } from "./settings.ts";
import { luminanceOf } from "./colour.ts";
import { FilledText, placeOf, toPattern, type Pattern } from "./filled-text.server.ts";
import { MESSAGE } from "./template.ts";
import { formatMoney } from "../platform/text/currency.ts";
import { languageOf, textsIn, type Texts } from "./texts.ts";

/** Products and variants of a product that a message shows. */
const SHOWN = { products: 20, variants: 5 } as const;
/** Pixels of a picture, for screens with two of them to a point. */
const PICTURE_WIDTH = 240;
const SUBJECT_LENGTH = 200;

/** The work that a template of a shop may cause: characters, milliseconds, and roughly bytes. */
const LIMITS = { parseLimit: 5_000, renderLimit: 200, memoryLimit: 1_000_000 } as const;
/** A template reads nothing but what it is given: no files, no inherited properties. */
const CLOSED = { templates: {}, ownPropertyOnly: true, strictFilters: true, ...LIMITS } as const;

/** The tags of a shop's template. Without loops its work is bounded by its length, so that no shop's texts keep the process from other shops' work. */
const TAGS = new Set(["assign", "capture", "case", "comment", "echo", "if", "raw", "unless"]);

const plain = new Liquid(CLOSED);
for (const name of Object.keys(plain.tags)) if (!TAGS.has(name)) Reflect.deleteProperty(plain.tags, name);
const escaped = new Liquid({ ...CLOSED, parseLimit: 50_000, outputEscape: "escape" });

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

/** Returns black or white, whichever is read better on a colour. @param colour such as #1a1a1a */
function readableOn(colour: string): string {
  return luminanceOf(colour) > 0.179 ? "#000000" : "#ffffff";
}

function pictureOf(imageUrl: string | null): string | undefined {
  if (imageUrl === null) return undefined;
  const url = new URL(imageUrl);
  url.searchParams.set("width", String(PICTURE_WIDTH));
  return url.href;
}

type Values = Readonly<Record<string, unknown>>;

const message = escaped.parse(MESSAGE);
/** Templates that were read, by their text: most messages have those of others. */
const parsed = new LRUCache<string, Template[]>({ max: 1_000 });

function parse(template: string): Template[] {
  const known = parsed.get(template);
  if (known) return known;
  const read = plain.parse(template);
  parsed.set(template, read);
  return read;
}

const fill = (template: string, values: Values): string => String(plain.renderSync(parse(template), values)).trim();

/** Puts a text into one line. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, SUBJECT_LENGTH);

/** Returns a text of the shop's, or the service's where the shop has none or it does not render. */
function filled(own: string, standard: string, values: Values): string {
  try {
    const text = own === "" ? "" : fill(own, values);
    if (text !== "") return text;
  } catch {
    // It rendered with the example when it was saved, and must not keep the message back.
  }
  return fill(standard, values);
}

/**
 * Returns what is wrong with a shop's template, in words for its author.
 * @returns undefined for one that renders
 */
export function templateProblem(template: string): string | undefined {
  try {
    fill(template, EXAMPLE_VALUES);
    return undefined;
  } catch (problem) {
    const [first = ""] = (problem instanceof Error ? problem.message : String(problem)).split("\n");
    return `Liquid can't read this: ${first.slice(0, 200)}`;
  }
}

/** The values of a shop's template. */
export const EXAMPLE_VALUES = {
  product: "Northcote Parka",
  price: "€79.00",
  previous_price: "€99.00",
  customer: "Anna Berg",
  shop: "Larkfell Outdoor",
  others: 0,
} as const;

interface Shown {
  title: string;
  url: string;
  image: string | undefined;
  variants: { title: string | null; price: string; before: string | undefined; notes: string[] }[];
}

/** Returns a price as the store writes it; undefined in another currency, or before the format is known. */
function inStoresFormat(amount: string, currency: string | null, money: StoreMoney): string | undefined {
  return currency === money.currency && money.moneyFormat !== null
    ? inMoneyFormat(amount, money.moneyFormat)
    : undefined;
}

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

function textPart(parts: {
  greeting: string;
  introduction: string;
  products: readonly Shown[];
  insteadOf: (price: string) => string;
  more: string;
  list: string;
  footer: string;
}): string {
  const products = parts.products.map(({ title, url, variants }) => {
    const lines = variants.map(({ title: variant, price, before, notes }) => {
      const shown = before === undefined ? price : `${price} ${parts.insteadOf(before)}`;
      return [...(variant === null ? [] : [variant]), shown, ...notes].join(", ");
    });
    return [title, ...lines, url].join("\n");
  });
  const { greeting, introduction, more, list, footer } = parts;
  return `${[greeting, introduction, ...products, more, list, footer].filter((part) => part !== "").join("\n\n")}\n`;
}

/** What a message shows, with places for what differs between customers. */
interface Content {
  language: EmailLanguage;
  subject: string;
  introduction: string;
  greeting: string;
  products: Shown[];
  more: string;
  reason: string;
  shop: string;
  accent: string;
  logo: string | null;
  postalAddress: string;
  listUrl: string;
  unsubscribeUrl: string;
}

/** Path below an alert's link that ends all messages to its customer. */
const WITHDRAWAL = "/withdraw/all";
/** Indexes of the values of a message; those of the products' links follow. */
const VALUE = { subject: 0, greeting: 1, listUrl: 2, firstUrl: 3 } as const;

/** Characters of documents that are kept: a thousand of a product, or fewer with more products. */
const KEPT_CHARACTERS = 8_000_000;
/** What customers of a change get is the same but for a few values, so it is rendered once. */
const documents = new LRUCache<string, { html: Pattern; text: Pattern }>({
  maxSize: KEPT_CHARACTERS,
  sizeCalculation: ({ html, text }, key) =>
    [key, ...html.pieces, ...text.pieces].reduce((sum, piece) => sum + piece.length, 1),
});

function documentOf(content: Content): { html: Pattern; text: Pattern } {
  const key = JSON.stringify(content);
  const known = documents.get(key);
  if (known) return known;
  const { language, subject, introduction, greeting, products, more, reason, shop, accent, logo } = content;
  const { postalAddress, listUrl, unsubscribeUrl } = content;
  const texts = textsIn(language);
  const html = String(
    escaped.renderSync(message, {
      ...{ language, subject, introduction, greeting, products, more, reason, shop },
      ...{ view: texts.view, open_list: texts.open_list, unsubscribe: texts.unsubscribe },
      ...{ accent, on_accent: readableOn(accent), logo, postal_address: postalAddress },
      ...{ list_url: listUrl, unsubscribe_url: unsubscribeUrl },
    }),
  );
  const text = textPart({
    ...{ greeting, introduction, products, more },
    insteadOf: (price) => fill(texts.instead_of, { price }),
    list: `${texts.open_list}: ${listUrl}`,
    footer: [reason, `${texts.unsubscribe}: ${unsubscribeUrl}`, "", postalAddress].join("\n"),
  });
  const document = { html: toPattern(html), text: toPattern(text) };
  documents.set(key, document);
  return document;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "'": "&#39;",
};

/** Escapes a value as the template does. */
const escapeValue = (value: string): string => value.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

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
    .map(({ productTitle: title, imageUrl, items, currency }, n): Shown => {
      const priceOf = (amount: string, inLanguage: string): string =>
        inStoresFormat(amount, currency, money) ?? inLanguage;
      const shown = items.filter((one) => one.kinds.some((kind) => kinds.includes(kind)));
      const variants = shown.slice(0, SHOWN.variants).map((one) => ({
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
      return { title, url: placeOf(VALUE.firstUrl + n), image: pictureOf(imageUrl), variants };
    });

  const others = sorted.length - 1;
  const kind = kinds.includes(first.kind)
    ? first.kind
    : (PRECEDENCE.find((one) => first.items.some((each) => each.kinds.includes(one)) && kinds.includes(one)) ??
      first.kind);
  const [variant] = products[0]?.variants ?? [];
  const values = {
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
  const subject = oneLine(filled(own.subject, standard.subject, values));
  const introduction = filled(own.introduction, standard.introduction, values);
  const greeting = customer === undefined ? "" : fill(texts.greeting, { name: customer });
  const hidden = sorted.length - products.length;
  const more = hidden > 0 ? fill(texts.more, { n: hidden }) : "";
  const reason = fill(
    standard.because ?? (first.consent.basis === "shopper" ? texts.because_requested : texts.because_saved),
    {
      shop,
    },
  );
  const { html, text } = documentOf({
    ...{ language, introduction, products, more, reason, shop, accent, logo: logoUrl, postalAddress },
    subject: placeOf(VALUE.subject),
    greeting: greeting === "" ? "" : placeOf(VALUE.greeting),
    listUrl: placeOf(VALUE.listUrl),
    unsubscribeUrl: `${placeOf(VALUE.firstUrl)}${WITHDRAWAL}`,
  });
  const listUrl = first.url.replace(/\/alerts\/[^/]*$/, "");
  const customers = [subject, greeting, listUrl, ...sorted.slice(0, SHOWN.products).map(({ url }) => url)];
  return {
    subject,
    unsubscribeUrl: first.url + WITHDRAWAL,
    html: new FilledText(html, customers.map(escapeValue)),
    text: new FilledText(text, customers),
  };
}

/** What somebody without an account is asked to confirm. */
export interface Confirmation {
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

/** Renders the message with which the owner of an address confirms what was asked for with it. */
export function renderConfirmation(
  { kind, productTitle, variantTitle, imageUrl, targetPrice, currency, locale, url }: Confirmation,
  {
    senderName: shop,
    accent,
    logoUrl,
    postalAddress,
    money,
  }: Pick<EmailSettings, "senderName" | "accent" | "logoUrl" | "postalAddress"> & { money: StoreMoney },
): Omit<RenderedMessage, "unsubscribeUrl"> {
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
  const reason = fill(texts.because_confirm, { shop });
  const products: Shown[] = [{ title, url, image: pictureOf(imageUrl), variants: [] }];
  return {
    subject,
    html: String(
      escaped.renderSync(message, {
        ...{ language, subject, introduction, greeting: "", products, more: "", reason, shop, view: texts.confirm },
        ...{ accent, on_accent: readableOn(accent), logo: logoUrl, postal_address: postalAddress },
      }),
    ),
    text: textPart({
      ...{ greeting: "", introduction, more: "", list: "" },
      products: [{ title, url: `${texts.confirm}: ${url}`, image: undefined, variants: [] }],
      insteadOf: (text) => text,
      footer: [reason, "", postalAddress].join("\n"),
    }),
  };
}
