import type { Format } from "./columns.ts";

/** The most bytes of a record: more than an item has with the longest identifiers, note and properties. */
const RECORD_MAX = 64 * 1024;

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;

export interface Position {
  byte: number;
  line: number;
}

/** A record of a file, or a line that is not a record. */
export interface FileRecord {
  /** the line on which it begins, from 1 */
  line: number;
  /** its bytes, without the line break */
  bytes: Buffer;
  /** why the line is not a record */
  flaw: "too-long" | "unclosed" | undefined;
  /** where the next record begins */
  next: Position;
}

/**
 * Splits a file that arrives in pieces into records: a record is a line, and in CSV several lines when a cell contains line breaks. When a quote is
 * not closed, its line is not a record, and the next line begins a record.
 */
export class Records {
  readonly #quoted: boolean;
  #byte: number;
  #line: number;
  /** received bytes that are in no record yet */
  #rest: Buffer = Buffer.alloc(0);
  /** bytes of `#rest` that were searched */
  #seen = 0;
  #openQuote = false;
  /** line breaks inside the record so far, and the position after the first one */
  #breaks = 0;
  #afterFirst = 0;
  /** whether the rest of a line that is too long is skipped */
  #skipping = false;

  /** @param from where the first record begins */
  constructor(format: Format, from: Position) {
    this.#quoted = format === "csv";
    this.#byte = from.byte;
    this.#line = from.line;
  }

  /** Adds bytes of the file. @yields the records that they complete */
  *push(bytes: Buffer): Generator<FileRecord> {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const end = this.#rest.indexOf(LF, this.#seen);
      const upTo = end < 0 ? this.#rest.length : end;
      if (this.#quoted && !this.#skipping) this.#countQuotes(upTo);
      this.#seen = upTo;
      if (this.#skipping) {
        yield* this.#skipTo(end);
        if (end < 0) return;
      } else if (upTo > RECORD_MAX) {
        yield* this.#giveUp(end, "too-long");
      } else if (end < 0) {
        return;
      } else if (this.#openQuote) {
        this.#breaks++;
        this.#seen = end + 1;
        if (this.#breaks === 1) this.#afterFirst = end + 1;
      } else {
        yield this.#take(end, end + 1, this.#breaks + 1, undefined);
      }
    }
  }

  /** Ends the file. @yields the last record, which needs no line break */
  *end(): Generator<FileRecord> {
    if (this.#skipping) yield this.#take(0, 0, 0, "too-long");
    while (this.#rest.length > 0) {
      if (!this.#openQuote) {
        yield this.#take(this.#rest.length, this.#rest.length, this.#breaks + 1, undefined);
        return;
      }
      yield* this.#giveUp(-1, "unclosed");
      // The lines after the unclosed quote are read again as records.
      yield* this.push(Buffer.alloc(0));
    }
  }

  #countQuotes(upTo: number): void {
    for (let at = this.#rest.indexOf(QUOTE, this.#seen); at >= 0 && at < upTo; at = this.#rest.indexOf(QUOTE, at + 1)) {
      this.#openQuote = !this.#openQuote;
    }
  }

  /** Skips the first line of bytes that can't be a record, so that the lines after it are read. */
  *#giveUp(end: number, flaw: "too-long" | "unclosed"): Generator<FileRecord> {
    if (this.#breaks > 0) yield this.#take(this.#afterFirst - 1, this.#afterFirst, 1, "unclosed");
    else if (end >= 0) yield this.#take(end, end + 1, 1, flaw);
    else if (flaw === "unclosed") yield this.#take(this.#rest.length, this.#rest.length, 0, flaw);
    else {
      this.#skipping = true;
      this.#advance(this.#rest.length, 0);
    }
  }

  /** @param end the end of the skipped line, or negative when it has not arrived: a record's `next` must be a position after it */
  *#skipTo(end: number): Generator<FileRecord> {
    if (end < 0) {
      this.#advance(this.#rest.length, 0);
      return;
    }
    this.#skipping = false;
    yield this.#take(end, end + 1, 1, "too-long");
  }

  #take(end: number, next: number, lines: number, flaw: FileRecord["flaw"]): FileRecord {
    const line = this.#line;
    const bytes = this.#rest.subarray(0, this.#rest[end - 1] === CR ? end - 1 : end);
    this.#advance(next, lines);
    return { line, bytes, flaw, next: { byte: this.#byte, line: this.#line } };
  }

  #advance(bytes: number, lines: number): void {
    this.#byte += bytes;
    this.#line += lines;
    this.#rest = this.#rest.subarray(bytes);
    this.#seen = 0;
    this.#openQuote = false;
    this.#breaks = 0;
    this.#afterFirst = 0;
  }
}
