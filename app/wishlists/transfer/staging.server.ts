import { now } from "../../platform/clock.server.ts";
import { runOne, statement } from "../../platform/database/database.server.ts";
import { DETAIL_NAMES, DETAIL_TYPES, detailArrays, detailColumns } from "../items/details.ts";
import { nameKey } from "../lists/names.ts";
import { MAX_PROBLEMS, type ImportKey } from "./import-data.ts";
import type { FileEntry, LineProblem } from "./line.ts";
import type { Position } from "./records.ts";

/** SQL for the parameters with the details, which are the last. */
const DETAIL_ARRAYS = DETAIL_NAMES.map((name, index) => `$${24 + index}::${DETAIL_TYPES[name]}[]`).join(", ");

/** Stores a batch and the position after it in one statement, and only once: a task that started from the same position stores nothing. */
const stageStatement = statement<{ staged: boolean }>(
  "import_stage",
  `WITH step AS (
     UPDATE wishlist_import
        SET read_bytes = $4, next_line = $5, header = $6, rows_read = rows_read + $7, rows_invalid = rows_invalid + $8, updated_at = $9
      WHERE shop_id = $1 AND id = $2 AND status = 'reading' AND read_bytes = $3
     RETURNING shop_id, id
   ), given AS (
     SELECT DISTINCT ON (g.kind, g.owner_id, g.list_key, g.product_id, g.variant_id)
            g.kind, g.owner_id, g.list_key, g.product_id, g.variant_id, g.line, g.list_id, g.list_name, g.name_key,
            g.saved_price, ${detailColumns("g")},
            min(g.added_at) OVER (PARTITION BY g.kind, g.owner_id, g.list_key, g.product_id, g.variant_id) AS added_at
       FROM unnest($10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::timestamptz[], $16::integer[], $17::text[], $18::text[],
                   $19::text[], $20::numeric[], ${DETAIL_ARRAYS})
            AS g (kind, owner_id, list_key, product_id, variant_id, added_at, line, list_id, list_name, name_key, saved_price, ${DETAIL_NAMES.join(", ")})
      ORDER BY g.kind, g.owner_id, g.list_key, g.product_id, g.variant_id, g.line
   ), entries AS (
     INSERT INTO import_entry AS t (shop_id, import_id, owner_kind, owner_id, list_key, product_id, variant_id, added_at, line,
                                    list_id, list_name, name_key, saved_price, ${DETAIL_NAMES.join(", ")})
     SELECT s.shop_id, s.id, g.kind, g.owner_id, g.list_key, g.product_id, g.variant_id, g.added_at, g.line,
            g.list_id, g.list_name, g.name_key, g.saved_price, ${detailColumns("g")}
       FROM step s CROSS JOIN given g
         ON CONFLICT (shop_id, import_id, owner_kind, owner_id, list_key, product_id, variant_id)
         DO UPDATE SET added_at = least(t.added_at, EXCLUDED.added_at)
   ), problems AS (
     INSERT INTO import_problem (shop_id, import_id, line, field, problem)
     SELECT s.shop_id, s.id, g.line, g.field, g.problem
       FROM step s CROSS JOIN unnest($21::integer[], $22::text[], $23::text[]) AS g (line, field, problem)
         ON CONFLICT (shop_id, import_id, line, field) DO NOTHING
   )
   SELECT EXISTS (SELECT 1 FROM step) AS staged`,
);

/** Records that were read and are not stored yet. */
interface Batch {
  entries: FileEntry[];
  problems: LineProblem[];
  /** lines with an item or a problem */
  rows: number;
  invalid: number;
}

export function emptyBatch(): Batch {
  return { entries: [], problems: [], rows: 0, invalid: 0 };
}

/**
 * Stores a batch for the dry run and the import.
 * @param step.from byte at which the batch begins
 * @param step.next position after the batch
 * @param step.header first record of a CSV file
 * @param step.reported problems of earlier batches
 * @returns false when the import was cancelled, or another task has stored the batch
 */
export async function stageBatch(
  { shopId, id }: ImportKey,
  { entries, problems, rows, invalid }: Batch,
  step: { from: number; next: Position; header: string | null; reported: number },
): Promise<boolean> {
  const { from, next, header, reported } = step;
  const listed = problems.slice(0, Math.max(0, MAX_PROBLEMS - reported));
  const latest = now().getTime();
  const { staged } = await runOne(stageStatement, [
    ...[shopId, id, from, next.byte, next.line, header, rows, invalid, now()],
    entries.map(({ kind }) => kind),
    entries.map(({ ownerId }) => ownerId),
    entries.map(({ list }) => list.key),
    entries.map(({ item }) => item?.productId ?? ""),
    entries.map(({ item }) => item?.variantId ?? ""),
    // Capped at the present, because the end of 9999 west of Greenwich is a year that PostgreSQL can't parse in ISO 8601.
    entries.map(({ item }) => new Date(item ? Math.min(Date.parse(item.addedAt), latest) : latest).toISOString()),
    entries.map(({ line }) => line),
    entries.map(({ list }) => list.id ?? null),
    entries.map(({ list }) => list.name ?? null),
    entries.map(({ list }) => (list.name === undefined ? null : nameKey(list.name))),
    entries.map(({ item }) => item?.savedPrice ?? null),
    listed.map(({ line }) => line),
    listed.map(({ field }) => field),
    listed.map(({ problem }) => problem),
    ...detailArrays(entries.map(({ item }) => item?.details ?? {})),
  ]);
  return staged;
}
