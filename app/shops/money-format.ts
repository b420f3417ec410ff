/** The most characters of a money format; longer ones are of no use to a shopper. */
const MAX_LENGTH = 255;
const PLACEHOLDER = /\{\{\s*amount\w*\s*\}\}/;

const ENTITIES: Partial<Record<string, string>> = {
  amp: "&",
  cent: "¢",
  euro: "€",
  gt: ">",
  lt: "<",
  nbsp: "\u00A0",
  pound: "£",
  quot: '"',
  yen: "¥",
};

/**
 * Returns a store's money format, which is HTML, as text: `<span class="money">&euro;{{amount}}</span>` is `€{{amount}}`.
 * @returns null for a format without an amount
 */
export function plainMoneyFormat(html: string): string | null {
  const text = html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:#(\d{1,5})|([a-z]{2,5}));/g, (entity, code?: string, name = "") =>
      code === undefined ? (ENTITIES[String(name)] ?? entity) : String.fromCharCode(Number(code)),
    )
    .trim();
  return PLACEHOLDER.test(text) && text.length <= MAX_LENGTH ? text : null;
}
