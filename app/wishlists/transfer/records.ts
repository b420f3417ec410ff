import type { Format } from "./columns.ts";

/** Bytes of a record: several times what the longest identifiers need. */
const RECORD_MAX = 16 * 1024;

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;

/** A record of a file, or what stands in the place of one. */
export interface FileRecord {
  /** the line that it begins on, from 1 */
  line: number;
  /** its bytes, without the end of the line */
  bytes: Buffer;
  /** why it is no record */
  flaw: "too-long" | "unclosed" | undefined;
  /** where the next one begins: byte of the file, and line */
  next: { byte: number; line: number };
}

/**
 * Cuts a file into records, whatever the pieces that it comes in: lines, and in CSV also several lines at once where a cell holds line breaks.
 * Where a quote is not closed, the line that it is on is no record, and the next line begins one.
 */
export class Records {
  readonly #quoted: boolean;
  #byte: number;
  #line: number;
  /** what has come and is in no record yet */
  #rest: Buffer = Buffer.alloc(0);
  /** of what has come, looked through */
  #seen = 0;
  #openQuote = false;
  /** line breaks inside the record so far, and the place after the first */
  #breaks = 0;
  #afterFirst = 0;
  /** the rest of a line without end is passed over */
  #skipping = false;

  /** @param from where the first record begins */
  constructor(format: Format, from: { byte: number; line: number }) {
    this.#quoted = format === "csv";
    this.#byte = from.byte;
    this.#line = from.line;
  }

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

  /** The file is over: what is left is its last record, which needs no end of line. */
  *end(): Generator<FileRecord> {
    if (this.#skipping) yield this.#take(0, 0, 0, "too-long");
    while (this.#rest.length > 0) {
      if (!this.#openQuote) {
        yield this.#take(this.#rest.length, this.#rest.length, this.#breaks + 1, undefined);
        return;
      }
      yield* this.#giveUp(-1, "unclosed");
      // The lines after the one with the quote are looked at again.
      yield* this.push(Buffer.alloc(0));
    }
  }

  #countQuotes(upTo: number): void {
    for (let at = this.#rest.indexOf(QUOTE, this.#seen); at >= 0 && at < upTo; at = this.#rest.indexOf(QUOTE, at + 1)) {
      this.#openQuote = !this.#openQuote;
    }
  }

  /** Passes over the first line of what can't be a record, so that those after it are read. */
  *#giveUp(end: number, flaw: "too-long" | "unclosed"): Generator<FileRecord> {
    if (this.#breaks > 0) yield this.#take(this.#afterFirst - 1, this.#afterFirst, 1, "unclosed");
    else if (end >= 0) yield this.#take(end, end + 1, 1, flaw);
    else if (flaw === "unclosed") yield this.#take(this.#rest.length, this.#rest.length, 0, flaw);
    else {
      this.#skipping = true;
      this.#advance(this.#rest.length, 0);
    }
  }

  /** @param end of the line that is passed over, if that has come: only then there is a place to go on from */
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
