import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { readMigrations } from "../../app/platform/database/migrations.server.ts";
import { breakingChanges, parseSchema } from "../../prisma/compatibility.ts";
import { SCHEMA } from "../../server/migrations.ts";

async function prisma(name: string): Promise<string> {
  return readFile(new URL(`../../prisma/${name}`, import.meta.url), "utf8");
}

const [previous, current] = await Promise.all([prisma("previous-release.sql"), prisma("schema.sql")]);

/** Names what breaks when this is replaced in the schema of the release before. */
function broken(found: string, replacement: string): string[] {
  expect(previous).toContain(found);
  const changed = previous.replace(found, replacement);
  return breakingChanges(parseSchema(previous), parseSchema(changed)).map(({ what }) => what);
}

test("the schema keeps the release before running, apart from the listed contractions", async () => {
  const listed = z.record(z.string(), z.string().min(20)).parse(JSON.parse(await prisma("contractions.json")));
  const changes = breakingChanges(parseSchema(previous), parseSchema(current));
  expect(changes.filter(({ what }) => listed[what] === undefined)).toEqual([]);
  const found = new Set(changes.map(({ what }) => what));
  expect(Object.keys(listed).filter((what) => !found.has(what))).toEqual([]);
});

test("released migrations are unchanged, and new ones sort after them", async () => {
  const released = z.record(z.string(), z.string()).parse(JSON.parse(await prisma("released-migrations.json")));
  const names = Object.keys(released);
  expect(names.length).toBeGreaterThan(0);
  const migrations = await readMigrations(SCHEMA.migrations);
  // Databases have applied them, and the next start compares their checksums.
  expect(Object.fromEntries(migrations.slice(0, names.length).map(({ name, checksum }) => [name, checksum]))).toEqual(
    released,
  );
});

test("the parser reads every line of the schema", () => {
  const lines = previous.split("\n").filter((line) => /^(?: {2}\w|CREATE |-- FUNCTION)/.test(line));
  // A function that is overloaded would be one thing with several lines.
  expect(parseSchema(previous).size).toBe(lines.length);
});

describe("a breaking change is found when", () => {
  const cases: [title: string, found: string, replacement: string, what: string][] = [
    ["a column is gone", "  handle text NOT NULL DEFAULT 'default'::text,\n", "", "column wishlist.handle"],
    ["a column is renamed", "  catalog text", "  catalogue text", "column shop.catalog"],
    [
      "a column has another type",
      "item_count integer NOT NULL DEFAULT 0",
      "item_count uuid NOT NULL DEFAULT 0",
      "column wishlist.item_count",
    ],
    ["a column is narrower", "at_byte bigint NOT NULL", "at_byte integer NOT NULL", "column import_part.at_byte"],
    [
      "a number has fewer digits",
      "saved_price numeric(20,2)",
      "saved_price numeric(10,2)",
      "column import_entry.saved_price",
    ],
    ["a column accepts NULL no longer", "  scope text,", "  scope text NOT NULL,", "column session.scope"],
    [
      "a column has a default no longer",
      "handle text NOT NULL DEFAULT 'default'::text",
      "handle text NOT NULL",
      "column wishlist.handle",
    ],
    [
      "a new column must have a value",
      "  scope text,",
      "  scope text,\n  other text NOT NULL,",
      "column session.other",
    ],
    [
      "a constraint is new",
      "  CONSTRAINT session_pkey",
      "  CONSTRAINT new_check CHECK (true),\n  CONSTRAINT session_pkey",
      "constraint new_check of session",
    ],
    ["a constraint is stricter", "(item_cap <= 2500)", "(item_cap <= 500)", "constraint shop_item_cap_check of shop"],
    [
      "an index becomes unique",
      "CREATE INDEX session_shop",
      "CREATE UNIQUE INDEX session_shop",
      "unique index session_shop of session",
    ],
    [
      "a unique index is gone",
      "CREATE UNIQUE INDEX shop_domain_key",
      "CREATE INDEX shop_domain_key",
      "unique index shop_domain_key of shop",
    ],
    ["a trigger is gone", "CREATE TRIGGER shop_notify_changed", "-- ", "trigger shop_notify_changed of shop"],
    ["a function is gone", "-- FUNCTION uuid_v7() ", "-- ", "function uuid_v7"],
    ["a parameter is renamed", "guest_touch(p_shop_id bigint", "guest_touch(p_shop bigint", "function guest_touch"],
    [
      "a parameter is new without default",
      "guest_touch(p_shop_id bigint, p_guest_id text, p_at timestamp with time zone)",
      "guest_touch(p_shop_id bigint, p_guest_id text, p_at timestamp with time zone, p_new text)",
      "function guest_touch",
    ],
    [
      "a function returns another type",
      "guest_lock(p_shop_id bigint, p_guest_id text) RETURNS text",
      "guest_lock(p_shop_id bigint, p_guest_id text) RETURNS uuid",
      "function guest_lock",
    ],
    ["a sequence is gone", "CREATE SEQUENCE shop_id_seq AS bigint;", "", "sequence shop_id_seq"],
  ];
  test.each(cases)("%s", (_title, found, replacement, what) => {
    expect(broken(found, replacement)).toContain(what);
  });
});

describe("no breaking change is found when", () => {
  const cases: [title: string, found: string, replacement: string][] = [
    ["a column is new and accepts NULL", "  scope text,", "  scope text,\n  other text,"],
    ["a column is new with a default", "  scope text,", "  scope text,\n  other text NOT NULL DEFAULT ''::text,"],
    ["a column is wider", "  position integer NOT NULL", "  position bigint NOT NULL"],
    ["a number may have any decimals", "  price numeric(20,2) NOT NULL", "  price numeric NOT NULL"],
    [
      "a table is new",
      "CREATE TABLE session (",
      "CREATE TABLE other (\n  id text NOT NULL,\n  CONSTRAINT other_pkey PRIMARY KEY (id)\n);\n\nCREATE TABLE session (",
    ],
    ["an index is gone", "CREATE INDEX session_shop", "-- "],
    [
      "a parameter is new at the end with a default",
      "p_guest_id text, p_at timestamp with time zone) RETURNS void",
      "p_guest_id text, p_at timestamp with time zone, p_new text DEFAULT NULL::text) RETURNS void",
    ],
  ];
  test.each(cases)("%s", (_title, found, replacement) => {
    expect(broken(found, replacement)).toEqual([]);
  });
});
