import { badUserInput } from "./problems.ts";

/** What the fields of Shopify's search syntax stand for; `text` is what a term without a field looks through. */
export type SearchFields<T> = Readonly<Record<string, (item: T) => string | number | Date>> & {
  text: (item: T) => string;
};

interface Term {
  field: string;
  comparator: ":" | ">" | ">=" | "<" | "<=";
  value: string;
}

const TERM = /(?:([a-z_]+):(>=|<=|>|<)?)?(?:'([^']*)'|"([^"]*)"|([^\s'"]+))/g;

function terms(query: string): Term[] {
  return [...query.matchAll(TERM)]
    .map(([, field, comparator, single, double, bare]) => ({
      field: field ?? "text",
      comparator: toComparator(comparator),
      value: single ?? double ?? bare ?? "",
    }))
    .filter(({ field, value }) => field !== "text" || value.toUpperCase() !== "AND");
}

function toComparator(text: string | undefined): Term["comparator"] {
  return text === ">" || text === ">=" || text === "<" || text === "<=" ? text : ":";
}

function compare(actual: string | number | Date, wanted: string): number {
  if (actual instanceof Date) {
    const moment = Date.parse(wanted);
    if (Number.isNaN(moment)) throw badUserInput(`Invalid timestamp for query filter: ${wanted}`);
    return actual.getTime() - moment;
  }
  if (typeof actual === "number") return actual - Number(wanted);
  return actual.toLowerCase() < wanted.toLowerCase() ? -1 : Number(actual.toLowerCase() > wanted.toLowerCase());
}

function meets(actual: string | number | Date, { field, comparator, value }: Term): boolean {
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
      const text = actual.toLowerCase();
      const wanted = value.toLowerCase();
      if (field === "text") return text.includes(wanted.replaceAll("*", ""));
      if (wanted.endsWith("*")) return text.startsWith(wanted.slice(0, -1));
      return wanted.split(",").includes(text);
    }
  }
}

/** The items that meet every term of a query in Shopify's search syntax (no OR, no brackets). */
export function search<T>(items: readonly T[], query: string | null | undefined, fields: SearchFields<T>): T[] {
  const wanted = terms(query ?? "");
  return items.filter((item) =>
    wanted.every((term) => {
      const read = fields[term.field];
      // Shopify ignores a field that it does not know, and answers with a warning.
      return read === undefined || meets(read(item), term);
    }),
  );
}
