import { Liquid, type Template } from "liquidjs";
import { LRUCache } from "lru-cache";

// Texts of the shop and of the service as Liquid.

/** Characters of a subject. */
const SUBJECT_LENGTH = 200;

/** The work that a template of a shop may cause: characters, milliseconds, and roughly bytes. */
const LIMITS = { parseLimit: 5_000, renderLimit: 200, memoryLimit: 1_000_000 } as const;
/** A template reads nothing but what it is given: no files, no inherited properties. */
const CLOSED = { templates: {}, ownPropertyOnly: true, strictFilters: true, ...LIMITS } as const;

/** The tags of a shop's template. Without loops its work is bounded by its length, so that no shop's texts keep the process from other shops' work. */
const TAGS = new Set(["assign", "capture", "case", "comment", "echo", "if", "raw", "unless"]);

const plain = new Liquid(CLOSED);
for (const name of Object.keys(plain.tags)) if (!TAGS.has(name)) Reflect.deleteProperty(plain.tags, name);
/** For the service's own template, whose values are escaped. */
export const escaped = new Liquid({ ...CLOSED, parseLimit: 50_000, outputEscape: "escape" });

type Values = Readonly<Record<string, unknown>>;

/** Templates that were read, by their text: most messages have those of others. */
const parsed = new LRUCache<string, Template[]>({ max: 1_000 });

function parse(template: string): Template[] {
  const known = parsed.get(template);
  if (known) return known;
  const read = plain.parse(template);
  parsed.set(template, read);
  return read;
}

/** Renders a template without escaping. @throws when it can't be read or costs too much */
export const fill = (template: string, values: Values): string =>
  String(plain.renderSync(parse(template), values)).trim();

/** Puts a text into one line. */
export const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, SUBJECT_LENGTH);

/** Returns a text of the shop's, or the service's where the shop has none or it does not render. */
export function filled(own: string, standard: string, values: Values): string {
  try {
    const text = own === "" ? "" : fill(own, values);
    if (text !== "") return text;
  } catch {
    // It rendered with the example when it was saved, and must not keep the message back.
  }
  return fill(standard, values);
}

/**
 * Returns what is wrong with a shop's template, in words for its author.
 * @returns undefined for one that renders
 */
export function templateProblem(template: string): string | undefined {
  try {
    fill(template, EXAMPLE_VALUES);
    return undefined;
  } catch (problem) {
    const [first = ""] = (problem instanceof Error ? problem.message : String(problem)).split("\n");
    return `Liquid can't read this: ${first.slice(0, 200)}`;
  }
}

/** The values of a shop's template. */
export const EXAMPLE_VALUES = {
  product: "Northcote Parka",
  price: "€79.00",
  previous_price: "€99.00",
  customer: "Anna Berg",
  shop: "Larkfell Outdoor",
  others: 0,
} as const;
