import de from "../theme/locales/de.json";
import en from "../theme/locales/en.default.json";
import es from "../theme/locales/es.json";
import fr from "../theme/locales/fr.json";
import ja from "../theme/locales/ja.json";

/**
 * The pages' texts. The language of a page is known to Liquid alone (`request.locale`): Shopify does not tell the app. So each page
 * brings its texts in all languages along, and Liquid chooses; only the chosen language leaves the store.
 */
type TextKey = keyof typeof en;
export type Texts = Record<TextKey, string>;

const TEXT_KEYS = Object.keys(en).filter((key): key is TextKey => key in en);

/** Placeholders become `[name]`, which is no Liquid and which the page's script can replace as well. */
function withPlaceholders(texts: Texts): Texts {
  const replaced = { ...texts };
  for (const key of TEXT_KEYS) replaced[key] = texts[key].replaceAll(/\{\{ (\w+) \}\}/g, "[$1]");
  return replaced;
}

/** Texts by language. The keys of English are those of all languages. */
export const LANGUAGES = {
  en: withPlaceholders(en),
  de: withPlaceholders(de),
  fr: withPlaceholders(fr),
  es: withPlaceholders(es),
  ja: withPlaceholders(ja),
};

/** Returns the texts in the language of a page, as `assignTexts` chooses them. @param locale such as `de` or `pt-BR` */
export function textsFor(locale: string): { language: string; texts: Texts } {
  const wanted = locale.slice(0, 2);
  const [language, texts] = Object.entries(LANGUAGES).find(([one]) => one === wanted) ?? ["en", LANGUAGES.en];
  return { language, texts };
}

/** The Liquid variable that holds a text. */
function variableOf(key: string): string {
  return `wl_t_${key}`;
}

/**
 * Resolves Shopify's filter `t` in an expression: `'items' | t: n: wl_count` becomes `wl_t_items | replace: '[n]', wl_count`.
 * @throws when a text does not exist
 */
export function resolveTexts(liquid: string): string {
  return liquid.replaceAll(/'(\w+)' \| t\b((?:[:,] \w+: (?:'[^']*'|\w+))*)/g, (_, key: string, values: string) => {
    if (!(key in en)) throw new Error(`The pages' texts have no "${key}".`);
    const filters = values.replaceAll(/[:,] (\w+): ('[^']*'|\w+)/g, (_value, name: string, value: string) =>
      // The script replaces it.
      value === `'[${name}]'` ? "" : ` | replace: '[${name}]', ${value}`,
    );
    return variableOf(key) + filters;
  });
}

/** Liquid that assigns the texts that a page uses in the page's language; English where there is no translation. */
export function assignTexts(page: string): string {
  const variables = new Set(page.match(/\bwl_t_\w+/g));
  const used = TEXT_KEYS.filter((key) => variables.has(variableOf(key)));
  const assign = (texts: Texts): string =>
    used.map((key) => `{%- assign ${variableOf(key)} = "${texts[key]}" -%}`).join("");
  const { en: fallback, ...others } = LANGUAGES;
  const cases = Object.entries(others).map(([language, texts]) => `{%- when '${language}' -%}${assign(texts)}`);
  return (
    "{%- assign wl_language = request.locale.iso_code | slice: 0, 2 -%}{%- case wl_language -%}" +
    `${cases.join("")}{%- else -%}${assign(fallback)}{%- endcase -%}`
  );
}
