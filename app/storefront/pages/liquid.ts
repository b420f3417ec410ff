/**
 * The store's theme renders our pages as Liquid, so whatever a merchant or a shopper has written must never be Liquid: it goes in as text
 * alone, in which nothing opens a tag or an output.
 */

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "{": "&#123;",
  "}": "&#125;",
};

/** Text or an attribute's value: no HTML, and no Liquid either. */
export function text(value: string): string {
  return value.replaceAll(/[&<>"'{}]/g, (character) => ENTITIES[character] ?? "");
}

/** Letters, digits, marks, hyphens and underscores: all that a store's handles are made of, and nothing that ends a Liquid string. */
const HANDLE = /^[\p{L}\p{N}\p{M}_-]{1,255}$/u;

/** A handle as a Liquid string, or undefined when it can't be one. */
export function liquidString(handle: string): string | undefined {
  return HANDLE.test(handle) ? `'${handle}'` : undefined;
}

const NUMBER = /^[1-9]\d{0,15}$/;

/** A Shopify id as a Liquid number, or undefined when it is none: stores of other kinds have ids of other kinds. */
export function liquidNumber(id: string): string | undefined {
  return NUMBER.test(id) && Number.isSafeInteger(Number(id)) ? id : undefined;
}
