// Compares docs/architecture.md with what exists: its folders, its tables, and the features that write each table. The document is the declaration.
// Reads the statements in TypeScript and the calls of Prisma. Functions of PostgreSQL write the tables of several features in one transaction, and
// statements with a table's name in a variable (key rotation, erasure of a shop) serve every table: neither is compared.
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectFiles } from "./support/project-files.ts";

const DOCUMENT = "docs/architecture.md";

/** Returns the code words of the cells of a section's table, row by row. */
function rowsOf(heading: string): string[][][] {
  const section = readFileSync(DOCUMENT, "utf8").split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) => line.split("|").slice(1, -1).map(codeWords));
}

function codeWords(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, word = ""]) => word);
}

const problems: string[] = [];

function checkFolders(): void {
  const named = new Set(rowsOf("Folders").flatMap(([names = []]) => names.map((name) => name.replace(/\/$/, ""))));
  const folders = new Set<string>();
  for (const file of projectFiles("**")) {
    const [top = "", next] = file.split("/").slice(0, -1);
    if (top === "app" && next !== undefined) folders.add(`app/${next}`);
    // Folders of tools, such as .github, are named after them.
    else if (top !== "" && top !== "app" && !top.startsWith(".")) folders.add(top);
  }
  for (const folder of folders) {
    if (![...named].some((name) => name === folder || name.startsWith(`${folder}/`)))
      problems.push(`${DOCUMENT}: add the folder ${folder}/`);
  }
  for (const name of named) if (!existsSync(name)) problems.push(`${DOCUMENT}: ${name} does not exist`);
}

/** Returns the tables of the database, and their names by their models in Prisma. */
function readTables(): { tables: Set<string>; byModel: Map<string, string> } {
  const tables = new Set(
    Array.from(readFileSync("prisma/schema.sql", "utf8").matchAll(/^CREATE TABLE (\w+)/gm), ([, name = ""]) => name),
  );
  const models = readFileSync("prisma/schema.prisma", "utf8").matchAll(
    /^model (\w+) \{\n(?:(?!\}).*\n)*? +@@map\("(\w+)"\)/gm,
  );
  return {
    tables,
    byModel: new Map(
      Array.from(models, ([, model = "", table = ""]) => [model.charAt(0).toLowerCase() + model.slice(1), table]),
    ),
  };
}

const SQL_WRITE =
  /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?|COPY)\s+(?:ONLY\s+)?(\w+)/g;
const PURGE = /\bpurge\(\s*"(\w+)"/g;
const PRISMA_WRITE = /\.(\w+)\s*\.\s*(?:create|update|upsert|delete)(?:Many(?:AndReturn)?)?\(/g;

/** Returns the tables that a file writes. */
function writesOf(file: string, { tables, byModel }: ReturnType<typeof readTables>): Set<string> {
  const text = readFileSync(file, "utf8");
  const names = [SQL_WRITE, PURGE].flatMap((pattern) => Array.from(text.matchAll(pattern), ([, name = ""]) => name));
  const models = Array.from(text.matchAll(PRISMA_WRITE), ([, model = ""]) => byModel.get(model) ?? "");
  return new Set([...names, ...models].filter((name) => tables.has(name)));
}

function checkTables(): void {
  const schema = readTables();
  const writers = new Map<string, Set<string>>();
  for (const [tables = [], features = []] of rowsOf("Data")) {
    for (const table of tables) {
      if (writers.has(table)) problems.push(`${DOCUMENT}: ${table} stands twice`);
      if (!schema.tables.has(table)) problems.push(`${DOCUMENT}: the table ${table} does not exist`);
      writers.set(table, new Set(features));
    }
  }
  for (const table of schema.tables) {
    if (!writers.has(table)) problems.push(`${DOCUMENT}: add the table ${table}`);
  }
  for (const feature of new Set([...writers.values()].flatMap((names) => [...names]))) {
    if (!existsSync(feature === "server" ? feature : `app/${feature}`))
      problems.push(`${DOCUMENT}: the feature ${feature} does not exist`);
  }
  for (const file of globSync("{app,server}/**/*.{ts,tsx}").map((found) => path.normalize(found))) {
    const [top = "", next = ""] = file.split(path.sep);
    const folder = top === "app" ? next : top;
    for (const table of writesOf(file, schema)) {
      const allowed = writers.get(table);
      if (allowed && !allowed.has(folder)) {
        problems.push(
          `${file}: writes ${table}, which is written by ${[...allowed].join(", ")} (${DOCUMENT}); call a function of that feature`,
        );
      }
    }
  }
}

checkFolders();
checkTables();
if (problems.length > 0) {
  process.stdout.write(`${problems.join("\n")}\n`);
  process.exitCode = 1;
}
