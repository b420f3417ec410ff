import { now } from "../../platform/clock.server.ts";
import { run, runOne, statement } from "../../platform/database.server.ts";
import { COLUMNS, type Format } from "./columns.ts";
import { decodeRecord, readHeader, readLine, type FileItem, type Header, type LineProblem } from "./line.ts";
import { Records, type FileRecord } from "./records.ts";

/** Records in a transaction. */
const BATCH = 5_000;
/** Problems of which a report tells: who has more has one problem. */
const PROBLEMS = 10_000;

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

/** What was read, and how far that is, in one. Nobody who has begun from the same place can do it a second time. */
const stageStatement = statement<{ staged: boolean }>(
  "import_stage",
  `WITH step AS (
     UPDATE wishlist_import
        SET read_bytes = $4, next_line = $5, header = $6, rows_read = rows_read + $7, rows_invalid = rows_invalid + $8, updated_at = $9
      WHERE shop_id = $1 AND id = $2 AND status = 'reading' AND read_bytes = $3
     RETURNING shop_id, id
   ), items AS (
     INSERT INTO import_item AS t (shop_id, import_id, owner_kind, owner_id, product_id, variant_id, added_at, line)
     SELECT s.shop_id, s.id, g.kind, g.owner_id, g.product_id, g.variant_id, min(g.added_at), min(g.line)
       FROM step s
      CROSS JOIN unnest($10::text[], $11::text[], $12::text[], $13::text[], $14::timestamptz[], $15::integer[])
            AS g (kind, owner_id, product_id, variant_id, added_at, line)
      GROUP BY s.shop_id, s.id, g.kind, g.owner_id, g.product_id, g.variant_id
         ON CONFLICT (shop_id, import_id, owner_kind, owner_id, product_id, variant_id)
         DO UPDATE SET added_at = least(t.added_at, EXCLUDED.added_at)
   ), problems AS (
     INSERT INTO import_problem (shop_id, import_id, line, field, problem)
     SELECT s.shop_id, s.id, g.line, g.field, g.problem
       FROM step s CROSS JOIN unnest($16::integer[], $17::text[], $18::text[]) AS g (line, field, problem)
         ON CONFLICT (shop_id, import_id, line, field) DO NOTHING
   )
   SELECT EXISTS (SELECT 1 FROM step) AS staged`,
);

/** Items that the catalog does not have, which can be told only once it is complete. The report names them; the merchant decides. */
const unknownStatement = statement<Record<string, never>>(
  "import_unknown",
  `WITH unknown AS MATERIALIZED (
     SELECT i.line, p.product_id IS NULL AS no_product
       FROM import_item i
       JOIN shop s ON s.id = $1 AND s.catalog = 'ready'
       LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = i.product_id AND p.deleted_at IS NULL
       LEFT JOIN variant v ON v.shop_id = $1 AND v.variant_id = i.variant_id AND v.product_id = i.product_id AND v.deleted_at IS NULL
      WHERE i.shop_id = $1 AND i.import_id = $2 AND (p.product_id IS NULL OR (v.variant_id IS NULL AND p.default_variant_id <> i.variant_id))
   ), problems AS (
     INSERT INTO import_problem (shop_id, import_id, line, field, problem)
     SELECT $1, $2, u.line, CASE WHEN u.no_product THEN $4 ELSE $5 END, 'is not in your catalog'
       FROM unknown u ORDER BY u.line LIMIT $3
         ON CONFLICT (shop_id, import_id, line, field) DO NOTHING
   )
   UPDATE wishlist_import SET items_unknown = (SELECT count(*) FROM unknown)
    WHERE shop_id = $1 AND id = $2 AND status = 'reading'`,
);

/** The dry run: what would become of each list. It changes none. */
const foreseeStatement = statement<Record<string, never>>(
  "import_foresee",
  `WITH per AS MATERIALIZED (
     SELECT i.owner_kind, i.owner_id, min(i.line) AS line, count(*) AS given, count(k.variant_id) AS present,
            coalesce(max(w.item_count), 0) AS held, bool_or(f.guest_id IS NOT NULL) AS merged
       FROM import_item i
       LEFT JOIN wishlist w ON w.shop_id = $1 AND w.owner_kind = i.owner_kind AND w.owner_id = i.owner_id AND w.handle = 'default'
       LEFT JOIN wishlist_item k ON k.shop_id = $1 AND k.wishlist_id = w.id AND k.product_id = i.product_id
            AND k.variant_id = i.variant_id
       LEFT JOIN merged_guest f ON f.shop_id = $1 AND i.owner_kind = 'guest' AND f.guest_id = i.owner_id
      WHERE i.shop_id = $1 AND i.import_id = $2
      GROUP BY i.owner_kind, i.owner_id
   ), judged AS MATERIALIZED (
     SELECT p.line, p.given, p.present, p.held + p.given - p.present AS wanted, s.item_cap, p.merged,
            p.merged OR (p.held + p.given - p.present > s.item_cap AND p.given > p.present) AS refused
       FROM per p JOIN shop s ON s.id = $1
   ), problems AS (
     INSERT INTO import_problem (shop_id, import_id, line, field, problem)
     SELECT $1, $2, j.line, '',
            CASE WHEN j.merged THEN 'begins a list whose guest has logged in since; it is the account''s now, and nothing of it is imported'
                 ELSE 'begins a list that would have ' || j.wanted || ' items, and lists hold at most ' || j.item_cap
                      || '; nothing of it is imported' END
       FROM judged j WHERE j.refused
      ORDER BY j.line LIMIT $3
         ON CONFLICT (shop_id, import_id, line, field) DO NOTHING
   )
   UPDATE wishlist_import f
      SET status = 'ready', updated_at = $4, items = t.items, lists = t.lists, items_new = t.new, items_refused = t.refused
     FROM (SELECT coalesce(sum(given), 0) AS items, count(*) AS lists,
                  coalesce(sum(given - present) FILTER (WHERE NOT refused), 0) AS new,
                  coalesce(sum(given - present) FILTER (WHERE refused), 0) AS refused FROM judged) AS t
    WHERE f.shop_id = $1 AND f.id = $2 AND f.status = 'reading'`,
);

/** The file's bytes from a place on, in the parts in which they came. */
async function* bytesFrom(
  shopId: number,
  id: string,
  { from, size }: { from: number; size: number },
): AsyncGenerator<Buffer> {
  for (let at = from; at < size;) {
    const [part] = await run(partStatement, [shopId, id, at]);
    const bytes = part?.bytes.subarray(at - part.at_byte);
    // It was cancelled.
    if (!bytes || bytes.length === 0) return;
    yield bytes;
    at += bytes.length;
  }
}

/** Why a file can't be text in UTF-8, by its first bytes; undefined when it may be. */
function otherEncoding(first: Buffer): string | undefined {
  if (!/^(?:feff|fffe)/.test(first.toString("hex", 0, 2)) && !first.subarray(0, 1_000).includes(0)) return undefined;
  return "The file is not in UTF-8. Save it as “CSV UTF-8”, and choose it again.";
}

interface Batch {
  items: FileItem[];
  problems: LineProblem[];
  rows: number;
  invalid: number;
}

function emptyBatch(): Batch {
  return { items: [], problems: [], rows: 0, invalid: 0 };
}

/** Reads a file on from where it was left, and ends with the dry run. */
export async function readFile(shopId: number, id: string, signal: AbortSignal): Promise<void> {
  const [file] = await run(fileStatement, [shopId, id]);
  if (!file) return;
  const fail = async (reason: string): Promise<void> => {
    await run(failStatement, [shopId, id, reason, now()]);
  };
  let { read_bytes: place, header: headerText, rows_invalid: known } = file;
  let header: Header | undefined;
  let batch = emptyBatch();
  let next = { byte: place, line: file.next_line };

  const stage = async (): Promise<boolean> => {
    const { items, problems, rows, invalid } = batch;
    const told = problems.slice(0, Math.max(0, PROBLEMS - known));
    const latest = now().getTime();
    const { staged } = await runOne(stageStatement, [
      ...[shopId, id, place, next.byte, next.line, headerText, rows, invalid, now()],
      items.map(({ kind }) => kind),
      items.map(({ ownerId }) => ownerId),
      items.map(({ productId }) => productId),
      items.map(({ variantId }) => variantId),
      // At the latest now: the end of 9999 west of Greenwich is a year that PostgreSQL can't read in ISO 8601.
      items.map(({ addedAt }) => new Date(Math.min(Date.parse(addedAt), latest)).toISOString()),
      items.map(({ line }) => line),
      told.map(({ line }) => line),
      told.map(({ field }) => field),
      told.map(({ problem }) => problem),
    ]);
    place = next.byte;
    known += problems.length;
    batch = emptyBatch();
    return staged;
  };

  /** @returns why the file can't be read at all */
  const take = (record: FileRecord): string | undefined => {
    ({ next } = record);
    if (file.format === "csv" && headerText === null) {
      const text = decodeRecord(record.bytes);
      if (text?.trim() === "") return undefined;
      const read = text === undefined || record.flaw ? readHeader("") : readHeader(text);
      if (typeof read === "string") return read;
      headerText = text ?? null;
      header = read;
      return undefined;
    }
    const read = readLine(record, file.format, header);
    if (!read) return undefined;
    batch.rows++;
    if (Array.isArray(read)) {
      batch.invalid++;
      batch.problems.push(...read);
    } else batch.items.push(read);
    return undefined;
  };

  if (headerText !== null) {
    const read = readHeader(headerText);
    if (typeof read !== "string") header = read;
  }
  const records = new Records(file.format, next);
  for await (const bytes of bytesFrom(shopId, id, { from: place, size: file.size })) {
    const encoding = next.byte === 0 ? otherEncoding(bytes) : undefined;
    if (encoding !== undefined) return fail(encoding);
    for (const record of records.push(bytes)) {
      const problem = take(record);
      if (problem !== undefined) return fail(problem);
      if (batch.rows < BATCH) continue;
      signal.throwIfAborted();
      if (!(await stage())) return;
    }
  }
  for (const record of records.end()) {
    const problem = take(record);
    if (problem !== undefined) return fail(problem);
  }
  if (file.format === "csv" && headerText === null) return fail("The file has no lines.");
  signal.throwIfAborted();
  if (!(await stage())) return;
  const [productField, variantField] =
    file.format === "csv" ? ["product_id", "variant_id"] : [COLUMNS.product_id, COLUMNS.variant_id];
  await run(unknownStatement, [shopId, id, Math.max(0, PROBLEMS - known), productField, variantField]);
  await run(foreseeStatement, [shopId, id, PROBLEMS, now()]);
}
