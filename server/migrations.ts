import { fileURLToPath } from "node:url";
import type { SchemaFolders } from "../app/platform/migrations.server.ts";

/** The folders that every start and every command brings its database up to date from. */
export const SCHEMA: SchemaFolders = {
  migrations: fileURLToPath(new URL("../prisma/migrations", import.meta.url)),
  functions: fileURLToPath(new URL("../prisma/functions", import.meta.url)),
};
