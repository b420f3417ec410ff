import { LRUCache } from "lru-cache";
import { luminanceOf } from "./colour.ts";
import { FilledText, toPattern, type Pattern } from "./filled-text.server.ts";
import { escaped, fill } from "./liquid.server.ts";
import type { EmailLanguage } from "./settings.ts";
import { MESSAGE } from "./template.ts";
import { textsIn } from "./texts.ts";

// The HTML and the text part of a message.

/** Pixels of a picture, for screens with two of them to a point. */
const PICTURE_WIDTH = 240;

const message = escaped.parse(MESSAGE);

/** A product as a message shows it. */
export interface Shown {
  title: string;
  url: string;
  image: string | undefined;
  variants: { title: string | null; price: string; before: string | undefined; notes: string[] }[];
}

/** What a message shows. Empty texts are left out. */
export interface Content {
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
  /** what a product's link does, in words of the language; undefined where it shows the product */
  action: string | undefined;
  /** of a customer's list, and to end all messages; undefined for somebody without a list */
  links: { list: string; unsubscribe: string } | undefined;
}

/** Returns a product's picture in the size of messages. */
export function pictureOf(imageUrl: string | null): string | undefined {
  if (imageUrl === null) return undefined;
  const url = new URL(imageUrl);
  url.searchParams.set("width", String(PICTURE_WIDTH));
  return url.href;
}

/** Returns black or white, whichever is read better on a colour. @param colour such as #1a1a1a */
function readableOn(colour: string): string {
  return luminanceOf(colour) > 0.179 ? "#000000" : "#ffffff";
}

function htmlPart({ language, accent, logo, postalAddress, action, links, ...content }: Content): string {
  const texts = textsIn(language);
  return String(
    escaped.renderSync(message, {
      ...content,
      ...{ language, view: action ?? texts.view, open_list: texts.open_list, unsubscribe: texts.unsubscribe },
      ...{ accent, on_accent: readableOn(accent), logo, postal_address: postalAddress },
      ...{ list_url: links?.list, unsubscribe_url: links?.unsubscribe },
    }),
  );
}

function textPart({ language, postalAddress, action, links, ...content }: Content): string {
  const texts = textsIn(language);
  const { greeting, introduction, more, reason } = content;
  const products = content.products.map(({ title, url, variants }) => {
    const lines = variants.map(({ title: variant, price, before, notes }) => {
      const shown = before === undefined ? price : `${price} ${fill(texts.instead_of, { price: before })}`;
      return [...(variant === null ? [] : [variant]), shown, ...notes].join(", ");
    });
    return [title, ...lines, action === undefined ? url : `${action}: ${url}`].join("\n");
  });
  const list = links ? `${texts.open_list}: ${links.list}` : "";
  const unsubscribe = links ? [`${texts.unsubscribe}: ${links.unsubscribe}`] : [];
  const footer = [reason, ...unsubscribe, "", postalAddress].join("\n");
  return `${[greeting, introduction, ...products, more, list, footer].filter((part) => part !== "").join("\n\n")}\n`;
}

/** Characters of documents that are kept: a thousand of a product, or fewer with more products. */
const KEPT_CHARACTERS = 8_000_000;
/** What customers of a change get is the same but for a few values, so it is rendered once. */
const documents = new LRUCache<string, { html: Pattern; text: Pattern }>({
  maxSize: KEPT_CHARACTERS,
  sizeCalculation: ({ html, text }, key) =>
    [key, ...html.pieces, ...text.pieces].reduce((sum, piece) => sum + piece.length, 1),
});

function patternsOf(content: Content): { html: Pattern; text: Pattern } {
  const key = JSON.stringify(content);
  const known = documents.get(key);
  if (known) return known;
  const patterns = { html: toPattern(htmlPart(content)), text: toPattern(textPart(content)) };
  documents.set(key, patterns);
  return patterns;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "'": "&#39;",
};

/** Escapes a value as the template does. */
function escapeValue(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/**
 * Returns the parts of a message.
 * @param content with placeholders for what differs between customers
 * @param values of the customer
 */
export function documentOf(content: Content, values: readonly string[]): { html: FilledText; text: FilledText } {
  const { html, text } = patternsOf(content);
  return { html: new FilledText(html, values.map(escapeValue)), text: new FilledText(text, values) };
}

/** Returns the parts of a message that is nobody else's. */
export function ownDocumentOf(content: Content): { html: FilledText; text: FilledText } {
  return { html: FilledText.of(htmlPart(content)), text: FilledText.of(textPart(content)) };
}
