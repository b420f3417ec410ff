import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { escapeHtml } from "./html.ts";

const treeSchema: z.ZodType<Tree> = z.lazy(() => z.record(z.string(), z.union([z.string(), treeSchema])));
interface Tree {
  [key: string]: string | Tree;
}

/** Translations of a theme or an extension by locale. */
export type Texts = ReadonlyMap<string, Tree>;

/**
 * Reads the locale files of a folder.
 * @param folder holds `de.json` and the like, one of them `….default.json`; may be missing
 * @param ending `.schema.json` for the labels of settings, which the theme editor shows
 */
export function readTexts(folder: string, ending: ".json" | ".schema.json" = ".json"): Texts {
  const texts = new Map<string, Tree>();
  if (!existsSync(folder)) return texts;
  for (const file of readdirSync(folder)) {
    const match = file.endsWith(ending) ? /^([a-zA-Z-]+)(\.default)?$/.exec(file.slice(0, -ending.length)) : null;
    if (match?.[1] === undefined) continue;
    const tree = treeSchema.parse(JSON.parse(readFileSync(path.join(folder, file), "utf8")));
    texts.set(match[1], tree);
    if (match[2] !== undefined) texts.set("default", tree);
  }
  return texts;
}

function find(tree: Tree | undefined, key: string): string | Tree | undefined {
  let found: string | Tree | undefined = tree;
  for (const part of key.split(".")) {
    if (found === undefined || typeof found === "string") return undefined;
    found = found[part];
  }
  return found;
}

/** Implements the `t` filter: selects the plural form by `count` and fills in `{{ name }}`, escaped unless the key ends with `_html`. */
export function translate(
  texts: Texts,
  locale: string,
  key: string,
  values: Readonly<Record<string, unknown>>,
): string {
  let text = find(texts.get(locale), key) ?? find(texts.get("default"), key);
  if (typeof text === "object") {
    const form = new Intl.PluralRules(locale).select(Number(values["count"] ?? 0));
    text = text[form] ?? text["other"];
  }
  if (typeof text !== "string") return `Translation missing: ${locale}.${key}`;
  return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => {
    if (!(name in values)) return whole;
    const value = String(values[name]);
    return key.endsWith("_html") ? value : escapeHtml(value);
  });
}
