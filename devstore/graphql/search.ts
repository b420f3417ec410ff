import { badUserInput } from "./problems.ts";
import { readQuery, type Condition, type Term } from "./search-syntax.ts";

/** What the fields of Shopify's search syntax stand for; `text` is what a term without a field looks through. */
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

/** Full text: the words of the value follow each other in the text; of a prefix, the last one may go on. */
function hasWords(text: string, { value, prefix }: Term): boolean {
  const [there, wanted] = [wordsOf(text), wordsOf(value)];
  if (wanted.length === 0) return prefix;
  return there.some((_, start) =>
    wanted.every((word, place) => {
      const found = there[start + place];
      return found === word || (prefix && place === wanted.length - 1 && found?.startsWith(word) === true);
    }),
  );
}

function meets(actual: string | number | Date, term: Term): boolean {
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

/** The items that a query in Shopify's search syntax describes. */
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
        // Shopify ignores a field that it does not know, and answers with a warning.
        return read === undefined || meets(read(item), term);
      }
    }
  }

  const wanted = readQuery(query ?? "");
  return items.filter((item) => holds(wanted, item));
}
