/** The most words of a search; further words are ignored. */
const WORDS = 8;

const PLAIN = /^[\p{L}\p{M}\p{N}]+$/u;
/** Connectives of the search syntax. */
const CONNECTIVE = /^(?:AND|OR|NOT)$/;

/**
 * Returns a query in Shopify's search syntax for customers whose name or email has every word of a text. A plain word matches the beginnings of
 * words. Anything else is quoted, so that it never acts as a field, a connective, a wildcard or a bracket.
 * @see https://shopify.dev/docs/api/usage/search-syntax
 */
export function customerQuery(text: string): string {
  const words = text.split(/\s+/u).filter((word) => word !== "");
  return words
    .slice(0, WORDS)
    .map((word) =>
      PLAIN.test(word) && !CONNECTIVE.test(word) ? `${word}*` : `"${word.replaceAll(/["\\]/g, String.raw`\$&`)}"`,
    )
    .join(" ");
}
