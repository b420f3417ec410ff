import { now } from "../../platform/clock.server.ts";
import { run, statement } from "../../platform/database/database.server.ts";
import type { Format } from "./columns.ts";
import { dryRun } from "./dry-run.server.ts";
import type { ImportKey } from "./import-data.ts";
import { decodeRecord, readHeader, readLine, type Header } from "./line.ts";
import { Records, type FileRecord, type Position } from "./records.ts";
import { emptyBatch, stageBatch } from "./staging.server.ts";

/** Records in a transaction. */
const BATCH = 5_000;

interface FileRow {
  format: Format;
  size: number;
  read_bytes: number;
  next_line: number;
  header: string | null;
  rows_invalid: number;
}

const fileStatement = statement<FileRow>(
  "import_file",
  `SELECT format, size, read_bytes, next_line, header, rows_invalid FROM wishlist_import
    WHERE shop_id = $1 AND id = $2 AND status = 'reading'`,
);

const partStatement = statement<{ at_byte: number; bytes: Buffer }>(
  "import_part_at",
  `SELECT at_byte, bytes FROM import_part WHERE shop_id = $1 AND import_id = $2 AND at_byte <= $3
    ORDER BY at_byte DESC LIMIT 1`,
);

const failStatement = statement<Record<string, never>>(
  "import_fail",
  `UPDATE wishlist_import SET status = 'failed', failed_reason = $3, updated_at = $4, finished_at = $4
    WHERE shop_id = $1 AND id = $2 AND status = 'reading'`,
);

/** Reads the file's bytes from a position on, in the parts of its upload. */
async function* bytesFrom(
  { shopId, id }: ImportKey,
  { from, size }: { from: number; size: number },
): AsyncGenerator<Buffer> {
  for (let at = from; at < size;) {
    const [part] = await run(partStatement, [shopId, id, at]);
    const bytes = part?.bytes.subarray(at - part.at_byte);
    // The import was cancelled.
    if (!bytes || bytes.length === 0) return;
    yield bytes;
    at += bytes.length;
  }
}

/** Returns the problem of a file whose first bytes are not UTF-8; undefined when they may be. */
function encodingProblem(first: Buffer): string | undefined {
  if (!/^(?:feff|fffe)/.test(first.toString("hex", 0, 2)) && !first.subarray(0, 1_000).includes(0)) return undefined;
  return "The file is not in UTF-8. Save it as “CSV UTF-8”, and choose it again.";
}

/** The state of reading a file: its header, the batch that is not stored yet, and the positions. */
class ImportReader {
  readonly #key: ImportKey;
  readonly #format: Format;
  #header: Header | undefined;
  #headerText: string | null;
  #batch = emptyBatch();
  /** byte up to which records are stored */
  #stored: number;
  #next: Position;
  #reported: number;

  constructor(key: ImportKey, file: FileRow) {
    this.#key = key;
    this.#format = file.format;
    this.#headerText = file.header;
    this.#stored = file.read_bytes;
    this.#next = { byte: file.read_bytes, line: file.next_line };
    this.#reported = file.rows_invalid;
    if (file.header === null) return;
    const header = readHeader(file.header);
    if (typeof header !== "string") this.#header = header;
  }

  /** where the next record begins */
  get next(): Position {
    return this.#next;
  }

  get isBatchFull(): boolean {
    return this.#batch.entries.length + this.#batch.invalid >= BATCH;
  }

  get lacksHeader(): boolean {
    return this.#format === "csv" && this.#headerText === null;
  }

  /** problems that were reported so far */
  get reported(): number {
    return this.#reported;
  }

  /** Adds a record to the batch. @returns the problem of a file that can't be read */
  take(record: FileRecord): string | undefined {
    this.#next = record.next;
    if (this.lacksHeader) return this.#takeHeader(record);
    const line = readLine(record, this.#format, this.#header);
    if (!line) return undefined;
    if (Array.isArray(line) || line.item) this.#batch.rows++;
    if (Array.isArray(line)) {
      this.#batch.invalid++;
      this.#batch.problems.push(...line);
    } else this.#batch.entries.push(line);
    return undefined;
  }

  #takeHeader({ bytes, flaw }: FileRecord): string | undefined {
    const text = decodeRecord(bytes);
    if (text?.trim() === "") return undefined;
    const header = text === undefined || flaw ? readHeader("") : readHeader(text);
    if (typeof header === "string") return header;
    this.#headerText = text ?? null;
    this.#header = header;
    return undefined;
  }

  /** Stores the batch. @returns false when the import was cancelled, or another task has stored the batch */
  async store(): Promise<boolean> {
    const staged = await stageBatch(this.#key, this.#batch, {
      from: this.#stored,
      next: this.#next,
      header: this.#headerText,
      reported: this.#reported,
    });
    this.#stored = this.#next.byte;
    this.#reported += this.#batch.problems.length;
    this.#batch = emptyBatch();
    return staged;
  }
}

/** Reads an import's file, from the last stored position on, and performs the dry run. */
export async function readFile(shopId: number, id: string, signal: AbortSignal): Promise<void> {
  const [file] = await run(fileStatement, [shopId, id]);
  if (!file) return;
  const fail = async (reason: string): Promise<void> => {
    await run(failStatement, [shopId, id, reason, now()]);
  };
  const reader = new ImportReader({ shopId, id }, file);
  const records = new Records(file.format, reader.next);
  for await (const bytes of bytesFrom({ shopId, id }, { from: reader.next.byte, size: file.size })) {
    const encoding = reader.next.byte === 0 ? encodingProblem(bytes) : undefined;
    if (encoding !== undefined) return fail(encoding);
    for (const record of records.push(bytes)) {
      const problem = reader.take(record);
      if (problem !== undefined) return fail(problem);
      if (!reader.isBatchFull) continue;
      signal.throwIfAborted();
      if (!(await reader.store())) return;
    }
  }
  for (const record of records.end()) {
    const problem = reader.take(record);
    if (problem !== undefined) return fail(problem);
  }
  if (reader.lacksHeader) return fail("The file has no lines.");
  signal.throwIfAborted();
  if (await reader.store()) await dryRun({ shopId, id }, file.format, reader.reported);
}
