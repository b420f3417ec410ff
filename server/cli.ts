import { Command, CommanderError } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { keysCommand } from "./commands/keys.ts";
import { PROGRAM, Refusal } from "./commands/run.ts";
import { secretsCommand } from "./commands/secrets.ts";
import { shopsCommand } from "./commands/shops.ts";
import { explain, unlessEnding } from "./fail.ts";

/** `npm run -s wishlist -- …`: the operators' command line. */

const USAGE = 2;

const program = new Command(PROGRAM)
  .description("Manages the shops, API keys and encryption keys of the wishlist service.")
  .version(packageJson.version, "-V, --version", "print the version")
  .addHelpText(
    "after",
    `
Works on the database of a running demo or server (found through DATA_DIR), on DATABASE_URL when that is set, and otherwise on
the embedded database of DATA_DIR (.data), which it starts and stops for itself.

Examples:
  ${PROGRAM} shops create my-shop.myshopify.com --plan starter
  ${PROGRAM} keys create --shop my-shop.myshopify.com --name Storefront --scopes read_wishlists,write_wishlists
  ${PROGRAM} keys revoke wlk_…
  ${PROGRAM} secrets reseal

Every command explains itself with --help. With --json a command prints JSON, and so does an error, as
{"error":{"code","message"}} with the code usage, refused or failed. Errors go to standard error. The exit code is ${USAGE} for usage errors and
1 for all others.`,
  )
  .addCommand(shopsCommand())
  .addCommand(keysCommand())
  .addCommand(secretsCommand());

/** Usage errors are thrown and worded below, like all others. */
function throwing(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => undefined });
  command.commands.forEach(throwing);
}

function report(code: "usage" | "refused" | "failed", message: string): void {
  const asJson = process.argv.includes("--json");
  process.stderr.write(`${asJson ? JSON.stringify({ error: { code, message } }) : message}\n`);
}

/** What commander says of a command that it can't make sense of, in one line. */
function usage({ message }: CommanderError): string {
  const [first = "", ...rest] = message
    .replace(/^error: /, "")
    .replace(/\bwls_\w+/g, "wls_…")
    .split("\n");
  const line = [first.replace(/\.?$/, "."), ...rest].join(" ");
  return `${line.charAt(0).toUpperCase()}${line.slice(1)} --help shows how it is used.`;
}

throwing(program);
try {
  await program.parseAsync();
} catch (error) {
  await unlessEnding();
  if (!(error instanceof CommanderError)) {
    if (error instanceof Refusal) report("refused", error.message);
    else report("failed", explain(error));
    process.exitCode = 1;
  } else if (error.exitCode !== 0) {
    // A group without a command has shown its help, which says it all.
    if (error.code !== "commander.help") report("usage", usage(error));
    process.exitCode = USAGE;
  }
}
