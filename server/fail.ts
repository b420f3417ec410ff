import { EnvironmentError } from "../app/platform/env.server.ts";
import { MigrationError } from "../app/platform/migrations.server.ts";
import { DatabaseServerError, DataFolderError, DataFolderInUseError } from "./postgres/database.ts";
import { StartError } from "./serve.ts";

const EXPECTED = [
  EnvironmentError,
  MigrationError,
  DataFolderInUseError,
  DataFolderError,
  DatabaseServerError,
  StartError,
];

/** Ends the process: an expected reason in its own words, anything else with its stack. */
export function fail(error: unknown): never {
  const expected = error instanceof Error && EXPECTED.some((kind) => error instanceof kind);
  process.stderr.write(
    expected ? `${error.message}\n` : `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
}
