/** One condition of a search query, such as `email:anna*`. */
export interface Term {
  /** undefined for a word without a field, which is searched in all text */
  field: string | undefined;
  comparator: ":" | ">" | ">=" | "<" | "<=";
  value: string;
  /** the value is a prefix: `ann*` */
  prefix: boolean;
}

export type Condition =
  | { kind: "term"; term: Term }
  | { kind: "not"; of: Condition }
  | { kind: "and" | "or"; of: Condition[] };

type Token = { kind: "(" | ")" | "AND" | "OR" | "NOT" } | { kind: "term"; term: Term };

const TOKEN =
  /([()])|(-)(?=\S)|(?:([a-z_]+):(>=|<=|>|<)?)?(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|((?:\\.|[^\s()"'\\])(?:\\.|[^\s()\\])*))/g;

function toComparator(text: string | undefined): Term["comparator"] {
  return text === ">" || text === ">=" || text === "<" || text === "<=" ? text : ":";
}

const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, "$1");

function toToken([, bracket, minus, field, comparator, single, double, bare = ""]: RegExpMatchArray): Token {
  if (bracket === "(" || bracket === ")") return { kind: bracket };
  if (minus !== undefined) return { kind: "NOT" };
  const quoted = single ?? double;
  if (quoted === undefined && field === undefined && (bare === "AND" || bare === "OR" || bare === "NOT")) {
    return { kind: bare };
  }
  // In quotes, an asterisk is literal.
  const prefix = quoted === undefined && bare.endsWith("*") && !bare.endsWith("\\*");
  const value = unescaped(quoted ?? (prefix ? bare.slice(0, -1) : bare));
  return { kind: "term", term: { field, comparator: toComparator(comparator), value, prefix } };
}

/**
 * Parses Shopify's search syntax: terms, `field:value`, comparators, quotes, backslashes, prefixes, AND, OR, NOT, `-` and brackets.
 * @see https://shopify.dev/docs/api/usage/search-syntax
 */
export function parseQuery(query: string): Condition {
  const tokens = [...query.matchAll(TOKEN)].map(toToken);
  let at = 0;

  function any(): Condition {
    const of = [all()];
    while (tokens[at]?.kind === "OR") {
      at++;
      of.push(all());
    }
    return { kind: "or", of };
  }

  function all(): Condition {
    const of: Condition[] = [];
    for (let token = tokens[at]; token !== undefined && token.kind !== "OR" && token.kind !== ")"; token = tokens[at]) {
      at++;
      if (token.kind !== "AND") of.push(one(token));
    }
    return { kind: "and", of };
  }

  function one(token: Token): Condition {
    if (token.kind === "term") return token;
    if (token.kind === "NOT") {
      const negated = tokens[at++];
      return { kind: "not", of: negated === undefined ? { kind: "and", of: [] } : one(negated) };
    }
    const inner = any();
    if (tokens[at]?.kind === ")") at++;
    return inner;
  }

  const conditions: Condition[] = [];
  // Ignores a closing bracket without an opening one.
  for (; at < tokens.length; at++) conditions.push(any());
  return { kind: "and", of: conditions };
}
