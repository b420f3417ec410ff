/** Code units up to which texts are normalized. The time grows with the square of a run of combining marks: 16,000 of them take 60 ms. */
const MAX_UNITS = 2_000;

/**
 * Returns a text in a normal form of Unicode. The caller checks the length before, and says what is wrong with a longer text.
 * @throws RangeError for a text of more than 2,000 code units
 */
export function normalForm(form: "NFC" | "NFKC", text: string): string {
  if (text.length > MAX_UNITS) throw new RangeError(`A text of ${text.length} code units is too long to normalize.`);
  return text.normalize(form);
}
