import { afterAll } from "vitest";
import { closeDatabase } from "../../../app/platform/database/database.server.ts";

// Files of a project without isolation share the modules, and so the connections of the file before.
afterAll(() => closeDatabase());
