import { randomBase62 } from "../platform/ids.server.ts";

/** Marks the place of a value in a text. Nobody can write it into a title or a text of the shop's, because it is another in each process. */
const MARK = randomBase62(22);
const PLACEHOLDERS = new RegExp(`${MARK}(\\d+);`);

/** Returns what stands for a value until a pattern is filled. It needs no escaping. @param index of the value */
export function placeholderOf(index: number): string {
  return `${MARK}${index};`;
}

/** The part of a text that is the same for all customers, around placeholders for values. */
export interface Pattern {
  /** one more than placeholders */
  readonly pieces: readonly string[];
  /** indexes of the values between the pieces */
  readonly placeholders: readonly number[];
}

/** Returns the pattern of a text with placeholders. */
export function toPattern(text: string): Pattern {
  const parts = text.split(PLACEHOLDERS);
  return {
    pieces: parts.filter((_, n) => n % 2 === 0),
    placeholders: parts.filter((_, n) => n % 2 === 1).map(Number),
  };
}

/** A pattern with the values of one customer. */
export class FilledText {
  readonly pattern: Pattern;
  readonly #values: readonly string[];

  constructor(pattern: Pattern, values: readonly string[]) {
    this.pattern = pattern;
    this.#values = values;
  }

  /** Returns a text that is nobody else's. */
  static of(text: string): FilledText {
    return new FilledText({ pieces: [text], placeholders: [] }, []);
  }

  /**
   * Returns the pieces and values in their order.
   * @param pieces in place of the pattern's own
   * @param toPart turns a value into what stands between the pieces
   */
  parts(pieces = this.pattern.pieces, toPart: (value: string) => string = (value) => value): string[] {
    const values = this.#values.map(toPart);
    return pieces.flatMap((piece, n) => {
      const index = this.pattern.placeholders[n];
      return index === undefined ? [piece] : [piece, values[index] ?? ""];
    });
  }

  toString(): string {
    return this.parts().join("");
  }
}
