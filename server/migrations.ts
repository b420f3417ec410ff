import { fileURLToPath } from "node:url";

/** The folder that every start and every command brings its database up to date from. */
export const MIGRATIONS = fileURLToPath(new URL("../prisma/migrations", import.meta.url));
