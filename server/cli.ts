import { Command, CommanderError } from "commander";
import { EnvironmentError } from "../app/platform/env.server.ts";
import { MigrationError } from "../app/platform/migrations.server.ts";
import { keysCommand } from "./commands/keys.ts";
import { Refusal } from "./commands/run.ts";
import { shopsCommand } from "./commands/shops.ts";
import { DatabaseServerError, DataFolderError, DataFolderInUseError } from "./postgres/database.ts";

/** `npm run -s wishlist -- …`: the operators' command line. */

const EXPECTED = [
  Refusal,
  EnvironmentError,
  MigrationError,
  DatabaseServerError,
  DataFolderError,
  DataFolderInUseError,
];

const program = new Command("wishlist")
  .description("Manages the shops and API keys of the wishlist service.")
  .addHelpText(
    "after",
    `
Works on the database of a running demo or server (found through DATA_DIR), on DATABASE_URL when that is set, and otherwise on the
embedded database of DATA_DIR, which it starts and stops for itself.

Examples:
  $ npm run -s wishlist -- shops create my-shop.myshopify.com --plan starter
  $ npm run -s wishlist -- keys create --shop my-shop.myshopify.com --name Storefront --scopes read_wishlists,write_wishlists
  $ npm run -s wishlist -- keys revoke wlk_…`,
  )
  .addCommand(shopsCommand())
  .addCommand(keysCommand());

/** Usage errors are thrown, so that all ends are in one place below. */
function throwing(command: Command): void {
  command.exitOverride().showHelpAfterError("(--help shows how it is used)");
  command.commands.forEach(throwing);
}

function wording(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return EXPECTED.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
}

throwing(program);
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // It has written what it had to say.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    const message = wording(error);
    process.stderr.write((process.argv.includes("--json") ? JSON.stringify({ error: { message } }) : message) + "\n");
    process.exitCode = 1;
  }
}
