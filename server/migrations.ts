import { fileURLToPath } from "node:url";
import type { SchemaFolders } from "../app/platform/database/migrations.server.ts";

/** The folders of the migrations and SQL functions that every start and every command applies. */
export const SCHEMA: SchemaFolders = {
  migrations: fileURLToPath(new URL("../prisma/migrations", import.meta.url)),
  functions: fileURLToPath(new URL("../prisma/functions", import.meta.url)),
};
