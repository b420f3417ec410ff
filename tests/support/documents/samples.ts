/** The code samples of a document: its fenced blocks, in their order. */

export interface Sample {
  /** the first word after the fence; empty for a block that is no code */
  language: string;
  /** the word after it: `browser` for code of a page, or the path of a file */
  place: string;
  code: string;
  /** the number of its section (a heading of the second level), 0 above the first */
  section: number;
  /** the line of the fence in the document, from 1 */
  line: number;
}

export function samplesOf(markdown: string): Sample[] {
  return Array.from(markdown.matchAll(/^```(\w*) ?([\w/.-]*)\n(.*?)^```$/gms), (found) => {
    const [, language = "", place = "", code = ""] = found;
    const before = markdown.slice(0, found.index);
    return {
      language,
      place,
      code,
      section: before.match(/^## /gm)?.length ?? 0,
      line: before.split("\n").length,
    };
  });
}

/** Returns the lines that the samples' `// → …` comments say the code prints. */
export function promisedLines(code: string): string[] {
  return Array.from(code.matchAll(/ \/\/ → (.*)$/gm), ([, text = ""]) => text);
}

/**
 * Returns where the shape of a response differs from the one that a document shows. Names, types and codes are compared; times, ids and counts
 * are not.
 */
export function shapeDifferences(shown: unknown, received: unknown, place = "response"): string[] {
  if (Array.isArray(shown) && Array.isArray(received)) {
    if (received.length < shown.length) return [`${place} has ${received.length} entries instead of ${shown.length}`];
    return shown.flatMap((one, index) => shapeDifferences(one, received[index], `${place}[${index}]`));
  }
  if (isObject(shown) && isObject(received)) {
    const names = new Set([...Object.keys(shown), ...Object.keys(received)]);
    return [...names].flatMap((name) => {
      const field = `${place}.${name}`;
      if (!Object.hasOwn(received, name)) return [`${field} is shown, but not in the response`];
      if (!Object.hasOwn(shown, name)) return [`${field} is in the response, but not shown`];
      const exact = ["ok", "code", "type", "reason"].includes(name);
      if (exact && shown[name] !== received[name])
        return [`${field} is ${JSON.stringify(received[name])} instead of ${JSON.stringify(shown[name])}`];
      return shapeDifferences(shown[name], received[name], field);
    });
  }
  const [is, wanted] = [kindOf(received), kindOf(shown)];
  return is === wanted ? [] : [`${place} is ${is} instead of ${wanted}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
