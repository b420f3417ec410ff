import { badUserInput } from "./problems.ts";
import { parseQuery, type Condition, type Term } from "./search-syntax.ts";

/** The searchable fields of an item; a term without a field searches `text`. */
export type SearchFields<T> = Readonly<Record<string, (item: T) => string | number | Date>> & {
  text: (item: T) => string;
};

function compare(actual: string | number | Date, wanted: string): number {
  if (actual instanceof Date) {
    const moment = Date.parse(wanted);
    if (Number.isNaN(moment)) throw badUserInput(`Invalid timestamp for query filter: ${wanted}`);
    return actual.getTime() - moment;
  }
  if (typeof actual === "number") return actual - Number(wanted);
  return actual.toLowerCase() < wanted.toLowerCase() ? -1 : Number(actual.toLowerCase() > wanted.toLowerCase());
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Tells whether the text contains the words of the value in sequence; of a prefix, the last word may continue. */
function hasWords(text: string, { value, prefix }: Term): boolean {
  const [words, wanted] = [wordsOf(text), wordsOf(value)];
  if (wanted.length === 0) return prefix;
  return words.some((_, start) =>
    wanted.every((word, index) => {
      const found = words[start + index];
      return found === word || (prefix && index === wanted.length - 1 && found?.startsWith(word) === true);
    }),
  );
}

function matches(actual: string | number | Date, term: Term): boolean {
  const { comparator, value, prefix } = term;
  switch (comparator) {
    case ">":
      return compare(actual, value) > 0;
    case ">=":
      return compare(actual, value) >= 0;
    case "<":
      return compare(actual, value) < 0;
    case "<=":
      return compare(actual, value) <= 0;
    case ":": {
      if (typeof actual !== "string") return value.split(",").some((one) => compare(actual, one) === 0);
      const [text, wanted] = [actual.toLowerCase(), value.toLowerCase()];
      return prefix ? text.startsWith(wanted) : wanted.split(",").includes(text);
    }
  }
}

/** Returns the items that match a query in Shopify's search syntax. */
export function search<T>(items: readonly T[], query: string | null | undefined, fields: SearchFields<T>): T[] {
  function holds(condition: Condition, item: T): boolean {
    switch (condition.kind) {
      case "and":
        return condition.of.every((one) => holds(one, item));
      case "or":
        return condition.of.some((one) => holds(one, item));
      case "not":
        return !holds(condition.of, item);
      case "term": {
        const { term } = condition;
        if (term.field === undefined) return hasWords(fields.text(item), term);
        const read = fields[term.field];
        // Shopify ignores an unknown field and responds with a warning.
        return read === undefined || matches(read(item), term);
      }
    }
  }

  const wanted = parseQuery(query ?? "");
  return items.filter((item) => holds(wanted, item));
}
