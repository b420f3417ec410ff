// `npm run db:released`: after a release, makes its schema the one that the next release must keep running, and records its migrations, which never
// change again. Empties the list of contractions.
import { copyFile, writeFile } from "node:fs/promises";
import { readMigrations } from "../app/platform/database/migrations.server.ts";
import { SCHEMA } from "../server/migrations.ts";

const file = (name: string): URL => new URL(name, import.meta.url);
const checksums = Object.fromEntries(
  (await readMigrations(SCHEMA.migrations)).map(({ name, checksum }) => [name, checksum]),
);
await copyFile(file("schema.sql"), file("previous-release.sql"));
await writeFile(file("contractions.json"), "{}\n");
await writeFile(file("released-migrations.json"), `${JSON.stringify(checksums, null, 2)}\n`);
