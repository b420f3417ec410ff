import { afterAll } from "vitest";
import { closeDatabase } from "../../../app/platform/database/database.server.ts";
import { provideSettings } from "../../../app/platform/process/env.server.ts";

// Files of a project without isolation share the modules, and so the connections of the file before. Work that outlives its file cannot
// open them again: the settings name no database until the next file provides its own.
afterAll(async () => {
  provideSettings({ LOG_LEVEL: "silent" });
  await closeDatabase();
});
