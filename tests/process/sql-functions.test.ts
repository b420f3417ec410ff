import { afterEach, describe, expect, test } from "vitest";
import { migrate, MigrationError } from "../../app/platform/database/migrations.server.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { failure, schemaFixture, type SchemaFixture } from "../support/database/migrations.ts";
import { MATRIX } from "../support/matrix.ts";

const disposals: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createDatabase({ empty: true });
  disposals.push(() => database.drop());
  return database;
}

const TABLE = { "1_one": "CREATE TABLE one (id integer);" };

async function withFunctions(functions: Record<string, string>, migrations = TABLE): Promise<SchemaFixture> {
  const schema = await schemaFixture(migrations, functions);
  disposals.push(schema.dispose);
  return schema;
}

/** Brings a database up to date. @returns the names of the functions applied now */
async function apply({ url }: TestDatabase, { migrations, functions }: SchemaFixture): Promise<string[]> {
  return (await migrate({ databaseUrl: url, migrations, functions })).functions;
}

function returning(name: string, value: number): string {
  return `CREATE OR REPLACE FUNCTION ${name}() RETURNS integer LANGUAGE sql AS 'SELECT ${value}';\n`;
}

async function result(database: TestDatabase, call: string): Promise<unknown> {
  const [row] = await database.rows<{ result: unknown }>(`SELECT ${call} AS result`);
  return row?.result;
}

describe("function runner", () => {
  test("runner applies a function after the migrations, and again only when its file changes", async () => {
    const database = await emptyDatabase();
    const schema = await withFunctions({
      a: returning("a", 1),
      count_one: "CREATE OR REPLACE FUNCTION count_one() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM one';",
    });
    expect(await apply(database, schema)).toEqual(["a", "count_one"]);
    expect(await apply(database, schema)).toEqual([]);
    await schema.writeFunction("a", returning("a", 2));
    expect(await apply(database, schema)).toEqual(["a"]);
    expect(await result(database, "a()")).toBe(2);
  });

  test("runner applies a function after those that it calls", async () => {
    const database = await emptyDatabase();
    // PostgreSQL checks the body of a function in SQL when it is created.
    const schema = await withFunctions({
      a: "CREATE OR REPLACE FUNCTION a() RETURNS integer LANGUAGE sql AS 'SELECT b() + c()'; -- not d()",
      b: "CREATE OR REPLACE FUNCTION b() RETURNS integer LANGUAGE sql AS 'SELECT c ()';",
      c: returning("c", 1),
      d: "CREATE OR REPLACE FUNCTION d() RETURNS integer LANGUAGE sql AS 'SELECT a()';",
    });
    expect(await apply(database, schema)).toEqual(["c", "b", "a", "d"]);
    expect(await result(database, "d()")).toBe(2);
  });

  test("runner refuses functions that call each other and names their files", async () => {
    const plpgsql = (name: string, calls: string): string =>
      `CREATE OR REPLACE FUNCTION ${name}() RETURNS void LANGUAGE plpgsql AS 'BEGIN PERFORM ${calls}(); END';`;
    const schema = await withFunctions({ a: plpgsql("a", "b"), b: plpgsql("b", "a") });
    const error = await failure(apply(await emptyDatabase(), schema));
    expect(error).toBeInstanceOf(MigrationError);
    expect(error.message).toContain("functions/a.sql → functions/b.sql → functions/a.sql");
  });

  test.each([
    ["no function", "SELECT 1;"],
    ["a function of another name", returning("b", 1)],
    ["two functions", returning("a", 1) + returning("b", 1)],
    ["a function that it can't replace", returning("a", 1).replace("OR REPLACE ", "")],
  ])("runner refuses a file with %s", async (_, sql) => {
    const error = await failure(apply(await emptyDatabase(), await withFunctions({ a: sql })));
    expect(error).toBeInstanceOf(MigrationError);
    expect(error.message).toBe("functions/a.sql must contain one CREATE OR REPLACE FUNCTION a");
  });

  test("runner changes no function when one fails, and names the file", async () => {
    const database = await emptyDatabase();
    const schema = await withFunctions({ a: returning("a", 1), b: returning("b", 1), c: returning("c", 1) });
    await apply(database, schema);
    await schema.writeFunction("a", returning("a", 2));
    await schema.writeFunction("b", returning("b", 2).replace("SELECT", "SELECT no_such_column +"));
    await schema.writeFunction("c", returning("c", 2));
    const error = await failure(apply(database, schema));
    expect(error).toBeInstanceOf(MigrationError);
    expect(error.message).toMatch(/^functions\/b\.sql failed: .*no_such_column/);
    expect(await result(database, "ARRAY[a(), b(), c()]")).toEqual([1, 1, 1]);

    await schema.writeFunction("b", returning("b", 2));
    expect(await apply(database, schema)).toEqual(["a", "b", "c"]);
    expect(await result(database, "ARRAY[a(), b(), c()]")).toEqual([2, 2, 2]);
  });

  test("runner applies changed functions once when ten processes start at the same moment", MATRIX, async () => {
    const database = await emptyDatabase();
    const schema = await withFunctions({ a: returning("a", 1) });
    const applied = await Promise.all(Array.from({ length: 10 }, () => apply(database, schema)));
    expect(applied.filter((names) => names.length > 0)).toEqual([["a"]]);
  });

  test("runner applies an unchanged function that a migration has dropped", async () => {
    const database = await emptyDatabase();
    const schema = await withFunctions({ a: returning("a", 1) });
    await apply(database, schema);
    await schema.writeMigration("2_drop", "DROP FUNCTION a();");
    expect(await apply(database, schema)).toEqual(["a"]);
  });

  test("runner replaces a trigger together with its function", async () => {
    const database = await emptyDatabase();
    const trigger = (id: number, when: string): string =>
      `CREATE OR REPLACE FUNCTION set_id() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.id := ${id}; RETURN NEW; END';
       CREATE OR REPLACE TRIGGER one_set_id BEFORE ${when} ON one FOR EACH ROW EXECUTE FUNCTION set_id();`;
    const schema = await withFunctions({ set_id: trigger(1, "INSERT") });
    await apply(database, schema);
    await schema.writeFunction("set_id", trigger(2, "INSERT OR UPDATE"));
    await apply(database, schema);
    expect(await database.rows("INSERT INTO one VALUES (0) RETURNING id")).toEqual([{ id: 2 }]);
    expect(await database.rows("UPDATE one SET id = 0 RETURNING id")).toEqual([{ id: 2 }]);
  });
});

describe("changed signature", () => {
  const before = "CREATE OR REPLACE FUNCTION f(p_n integer) RETURNS integer LANGUAGE sql AS 'SELECT p_n';";

  async function change(after: string): Promise<TestDatabase> {
    const database = await emptyDatabase();
    const schema = await withFunctions({ f: before });
    await apply(database, schema);
    await schema.writeFunction("f", after);
    expect(await apply(database, schema)).toEqual(["f"]);
    expect(await database.rows("SELECT 1 FROM pg_proc WHERE proname = 'f'")).toHaveLength(1);
    return database;
  }

  test("runner replaces a function whose return type changes", async () => {
    const database = await change(before.replace("RETURNS integer", "RETURNS text").replace("p_n'", "p_n::text'"));
    expect(await result(database, "f(1)")).toBe("1");
  });

  test("runner replaces a function whose parameter is renamed", async () => {
    const database = await change(before.replaceAll("p_n", "p_number"));
    expect(await result(database, "f(p_number => 1)")).toBe(1);
  });

  test("runner replaces a function whose parameter type changes", async () => {
    const database = await change(before.replace("integer", "bigint").replace("p_n'", "p_n::integer'"));
    expect(await result(database, "f(1)")).toBe(1);
  });

  test("call of an older process resolves after a parameter with a default was added", async () => {
    const database = await change(
      "CREATE OR REPLACE FUNCTION f(p_n integer, p_plus integer DEFAULT 1) RETURNS integer LANGUAGE sql AS 'SELECT p_n + p_plus';",
    );
    expect(await result(database, "f(p_n => 1)")).toBe(2);
  });

  test("runner keeps the earlier version when another object depends on it, and names the file", async () => {
    const database = await emptyDatabase();
    const schema = await withFunctions({ f: before });
    await apply(database, schema);
    await database.rows("CREATE VIEW uses_f AS SELECT f(1)");
    await schema.writeFunction("f", before.replaceAll("p_n", "p_number"));
    const error = await failure(apply(database, schema));
    expect(error.message).toMatch(/^functions\/f\.sql failed: cannot drop function f\(integer\)/);
    expect(await result(database, "f(p_n => 1)")).toBe(1);
  });
});

describe("rolling start", () => {
  test("function stays callable for older processes when its file is gone", async () => {
    const database = await emptyDatabase();
    const schema = await withFunctions({ a: returning("a", 1), b: returning("b", 1) });
    await apply(database, schema);
    await schema.removeFunction("a");
    expect(await apply(database, schema)).toEqual([]);
    expect(await result(database, "a()")).toBe(1);
  });

  test("older process leaves the functions of a release with more migrations unchanged", async () => {
    const database = await emptyDatabase();
    const older = await withFunctions({ a: returning("a", 1) });
    await apply(database, older);
    const newer = await withFunctions({ a: returning("a", 2) }, { ...TABLE, ...{ "2_two": "-- Functions changed." } });
    expect(await apply(database, newer)).toEqual(["a"]);
    expect(await apply(database, older)).toEqual([]);
    expect(await result(database, "a()")).toBe(2);
  });

  test("process with the same migrations applies its own functions", async () => {
    const database = await emptyDatabase();
    const [one, other] = [await withFunctions({ a: returning("a", 1) }), await withFunctions({ a: returning("a", 2) })];
    await apply(database, one);
    await apply(database, other);
    expect(await apply(database, one)).toEqual(["a"]);
    expect(await result(database, "a()")).toBe(1);
  });
});
