/**
 * Options of tests that repeat a guarantee for one more theme, width, device, language or fault. `npm test` proves the guarantee for one of them and
 * leaves these tests out; `npm run test:matrix` runs them. A file of such tests alone has `@module-tag matrix` in its first comment instead.
 */
export const MATRIX = { tags: ["matrix"] };
