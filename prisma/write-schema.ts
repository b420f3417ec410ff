// `npm run db:schema`: writes prisma/schema.sql, the dump of a database that has all migrations and functions. It starts its own PostgreSQL.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { migrate } from "../app/platform/database/migrations.server.ts";
import { SCHEMA } from "../server/migrations.ts";
import { openDatabase } from "../server/postgres/database.ts";
import { dumpSchema } from "./schema-dump.ts";

const dataDir = await mkdtemp(path.join(tmpdir(), "wishlist-schema-"));
const database = await openDatabase({ dataDir, role: "command", label: "npm run db:schema" });
try {
  await migrate({ databaseUrl: database.url, ...SCHEMA });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const dump = await dumpSchema(client);
  await client.end();
  await writeFile(new URL("schema.sql", import.meta.url), dump);
} finally {
  await database.close();
  await rm(dataDir, { recursive: true });
}
