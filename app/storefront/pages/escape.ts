const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "{": "&#123;",
  "}": "&#125;",
  "\\": "&#92;",
  "\n": "&#10;",
};

/**
 * Returns what a merchant or a shopper has written as text for HTML and for a string in Liquid. The store's theme renders the pages as
 * Liquid: without braces nothing opens or ends a tag; without quotes and backslashes nothing ends a string. Line breaks would end a
 * statement of the tag `liquid`.
 */
export function escapeText(value: string): string {
  return value.replaceAll(/[&<>"'{}\\\n]/g, (character) => ENTITIES[character] ?? "");
}
