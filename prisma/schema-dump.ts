import type pg from "pg";

/** Bookkeeping of the migration runner: not part of the schema that the migrations describe. */
const BOOKKEEPING = ["_prisma_migrations", "_sql_functions"];

/** Lines of the dump, each with the table that it belongs to (null: none) and its place within the dump. */
const LINES = `
  WITH tables AS (
    SELECT oid, relname, reloptions FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> ALL ($1)
  ), lines (section, owner, part, place, line) AS (
    SELECT 1, relname, 1, '', format('CREATE SEQUENCE %s AS %s;', relname, format_type(s.seqtypid, NULL))
      FROM pg_class c JOIN pg_sequence s ON s.seqrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT 2, t.relname, 1, '', format('CREATE TABLE %s (', t.relname) FROM tables t
    UNION ALL
    SELECT 2, t.relname, 2, lpad(a.attnum::text, 4, '0'),
           format('  %s %s%s%s,', a.attname, format_type(a.atttypid, a.atttypmod),
                  CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
                  CASE WHEN d.oid IS NULL THEN ''
                       WHEN a.attgenerated <> '' THEN format(' GENERATED ALWAYS AS (%s) STORED', pg_get_expr(d.adbin, d.adrelid))
                       ELSE format(' DEFAULT %s', pg_get_expr(d.adbin, d.adrelid)) END)
      FROM tables t
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
    UNION ALL
    -- PostgreSQL 18 lists NOT NULL among the constraints, too ('n').
    SELECT 2, t.relname, 3, position(c.contype::text IN 'puxfc') || c.conname,
           format('  CONSTRAINT %s %s,', c.conname, pg_get_constraintdef(c.oid))
      FROM tables t JOIN pg_constraint c ON c.conrelid = t.oid
     WHERE c.contype <> 'n'
    UNION ALL
    SELECT 2, t.relname, 4, '', format(')%s;', CASE WHEN t.reloptions IS NOT NULL
                               THEN format(' WITH (%s)', (SELECT string_agg(o, ', ' ORDER BY o) FROM unnest(t.reloptions) AS o)) END)
      FROM tables t
    UNION ALL
    SELECT 2, t.relname, 5, x.relname, replace(pg_get_indexdef(i.indexrelid), ' ON public.', ' ON ') || ';'
      FROM tables t
      JOIN pg_index i ON i.indrelid = t.oid
      JOIN pg_class x ON x.oid = i.indexrelid
     WHERE NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x'))
    UNION ALL
    SELECT 2, t.relname, 6, g.tgname, replace(pg_get_triggerdef(g.oid), ' ON public.', ' ON ') || ';'
      FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid
     WHERE NOT g.tgisinternal
    UNION ALL
    SELECT 2, v.relname, 7, '', format('CREATE %s %s AS %s', CASE v.relkind WHEN 'v' THEN 'VIEW' ELSE 'MATERIALIZED VIEW' END,
                                     v.relname, pg_get_viewdef(v.oid))
      FROM pg_class v WHERE v.relnamespace = 'public'::regnamespace AND v.relkind IN ('v', 'm')
    UNION ALL
    SELECT 3, y.typname, 1, '', format('CREATE TYPE %s AS ENUM (%s);', y.typname,
                                     (SELECT string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)
                                        FROM pg_enum e WHERE e.enumtypid = y.oid))
      FROM pg_type y WHERE y.typnamespace = 'public'::regnamespace AND y.typtype = 'e'
    UNION ALL
    -- The bodies are in prisma/functions.
    SELECT 4, p.proname, 1, pg_get_function_arguments(p.oid),
           format('-- FUNCTION %s(%s) RETURNS %s LANGUAGE %s %s', p.proname, pg_get_function_arguments(p.oid),
                  pg_get_function_result(p.oid), l.lanname,
                  CASE p.provolatile WHEN 'i' THEN 'IMMUTABLE' WHEN 's' THEN 'STABLE' ELSE 'VOLATILE' END)
      FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
     WHERE p.pronamespace = 'public'::regnamespace
  )
  SELECT section, owner, part, line FROM lines
   ORDER BY section, owner COLLATE "C", part, place COLLATE "C", line COLLATE "C"`;

/**
 * Describes a database's schema as text: sequences, tables with columns, constraints, indexes and triggers, and the functions' signatures, all in
 * the order of their names (not of their creation), so that two databases with the same schema give the same text on every supported PostgreSQL.
 */
export async function dumpSchema(client: pg.ClientBase | pg.Pool): Promise<string> {
  const { rows } = await client.query<{ section: number; owner: string; part: number; line: string }>(LINES, [
    BOOKKEEPING,
  ]);
  let text =
    "-- The schema that the migrations and functions create. Written by `npm run db:schema`; a test compares it with a migrated database.\n\n";
  let previous: (typeof rows)[number] | undefined;
  for (const row of rows) {
    const isNewTable = row.section === 2 && row.part === 1;
    if (previous && (previous.section !== row.section || isNewTable)) text += "\n";
    // The last column or constraint of a table ends without a comma.
    if (row.section === 2 && row.part === 4) text = text.replace(/,\n$/, "\n");
    text += `${row.line}\n`;
    previous = row;
  }
  return text;
}
