import { defineConfig } from "prisma/config";

// `prisma generate` asks for the schema engine's path but never runs it. Naming any executable spares the engine download,
// which closed networks refuse; our own runner applies migrations (app/platform/database/migrations.server.ts).
if (process.argv.includes("generate")) {
  process.env["PRISMA_SCHEMA_ENGINE_BINARY"] ??= process.execPath;
}

export default defineConfig({ schema: "prisma/schema.prisma" });
