type Values = Readonly<Record<string, string | number>>;

function entryOf(tree: unknown, key: string): unknown {
  return typeof tree === "object" && tree !== null
    ? Object.entries(tree).find(([name]) => name === key)?.[1]
    : undefined;
}

function find(tree: unknown, key: string): unknown {
  return key.split(".").reduce(entryOf, tree);
}

/**
 * Returns `i18n.translate`: it selects the plural form by `count` and fills in `{{name}}`.
 * @param texts trees of texts, of which the first with a key has precedence
 */
export function translator(texts: readonly unknown[], locale: string): (key: string, values?: Values) => string {
  return (key, values = {}) => {
    let text = texts.map((tree) => find(tree, key)).find((found) => found !== undefined);
    if (typeof text === "object") {
      text = entryOf(text, new Intl.PluralRules(locale).select(Number(values["count"]))) ?? entryOf(text, "other");
    }
    if (typeof text !== "string") throw new Error(`The extension has no text ${key} in ${locale}.`);
    return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => String(values[name] ?? whole));
  };
}
