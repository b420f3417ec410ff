/**
 * Options of tests that repeat a guarantee for one more theme, width, device, language or fault. `npm test` proves the guarantee for one of them and
 * leaves these tests out; `npm run test:matrix` runs them. A file of such tests alone has `@module-tag matrix` in its first comment instead.
 */
export const MATRIX = { tags: ["matrix"] };

/** Returns the random runs of a model that `npm test` does, and those that the matrix adds, for a test each. */
export function randomRuns(few: number, all: number): { numRuns: number; options: { tags?: string[] } }[] {
  return [
    { numRuns: few, options: {} },
    { numRuns: all - few, options: MATRIX },
  ];
}
