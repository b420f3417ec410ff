import { de } from "./words/de.ts";
import { en, type Word, type Words } from "./words/en.ts";
import { es } from "./words/es.ts";
import { fr } from "./words/fr.ts";
import { ja } from "./words/ja.ts";

/**
 * The pages' texts. Which language a page is shown in, Liquid alone knows (`request.locale`): the answer may be kept in no cache, but the
 * service is not told. So all languages go into the template, and Liquid chooses; none but the chosen one leaves the store.
 */

export type { Word };

export const LANGUAGES: Record<string, Words> = { en, de, fr, es, ja };

const NAMES = Object.keys(en).filter((name): name is Word => name in en);

function assigned(words: Words): string {
  return NAMES.map((name) => `{%- assign wl_${name} = "${words[name]}" -%}`).join("");
}

/** Liquid that makes the texts of the page's language known; English where there are none. To stand before the first of them. */
export const chosenWords = [
  "{%- assign wl_language = request.locale.iso_code | slice: 0, 2 -%}{%- case wl_language -%}",
  ...Object.entries(LANGUAGES)
    .filter(([language]) => language !== "en")
    .map(([language, words]) => `{%- when '${language}' -%}${assigned(words)}`),
  `{%- else -%}${assigned(en)}{%- endcase -%}`,
].join("");

/** A text, as Liquid. */
export function word(name: Word): string {
  return `{{ wl_${name} }}`;
}

/** A text with numbers in it. */
export function wordWith(name: Word, numbers: Record<string, number>): string {
  const filters = Object.entries(numbers).map(([key, value]) => ` | replace: '[${key}]', '${value}'`);
  return `{{ wl_${name}${filters.join("")} }}`;
}
