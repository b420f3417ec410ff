import { z } from "zod";

/** Version of the file's layout. A file with a higher one needs a newer release. */
export const FORMAT = 1;

export const MANIFEST_ENTRY = "manifest.json";
export const TASKS_ENTRY = "tasks.copy";

export function tableEntry(table: string): string {
  return `tables/${table}.copy`;
}

/** What was measured of an entry in PostgreSQL's text format for COPY. */
const contentSchema = z.object({ rows: z.int(), bytes: z.int(), sha256: z.string() });
export type Content = z.infer<typeof contentSchema>;

// Without anything that a restore would run as SQL: names are quoted, and the schema comes from the migrations.
const tableSchema = contentSchema.extend({ name: z.string(), columns: z.array(z.string()) });
export type BackedUpTable = z.infer<typeof tableSchema>;

export const manifestSchema = z.object({
  format: z.int(),
  /** version of the release that wrote the file */
  release: z.string(),
  /** time of the snapshot */
  createdAt: z.iso.datetime(),
  /** PostgreSQL's version, such as "18.4" */
  postgres: z.string(),
  /** applied migrations in the order of their names */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** ids of the keys of ENCRYPTION_KEYS that sealed values need */
  sealingKeys: z.array(z.string()),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), called: z.boolean() })),
  tables: z.array(tableSchema),
  /** tasks that wait, run or are to be retried */
  tasks: contentSchema,
});
export type Manifest = z.infer<typeof manifestSchema>;
