/** Returns a pattern for `LIKE` that finds a text anywhere in lower-case text; wildcards in it are ordinary characters. */
export function containsPattern(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
