import { Command, CommanderError } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { keysCommand } from "./commands/keys.ts";
import { PROGRAM, Refusal } from "./commands/run.ts";
import { secretsCommand } from "./commands/secrets.ts";
import { shopsCommand } from "./commands/shops.ts";
import { explain, haltIfEnding } from "./fail.ts";

/** `npm run -s wishlist -- …`: the command line for operators. */

const USAGE_EXIT_CODE = 2;

const program = new Command(PROGRAM)
  .description("Manages the shops, API keys and encryption keys of the wishlist service.")
  .version(packageJson.version, "-V, --version", "print the version")
  .addHelpText(
    "after",
    `
Uses the database at DATABASE_URL if set, otherwise the embedded database of DATA_DIR (.data): that of a running demo or server, or
one that the command starts and stops.

Examples:
  ${PROGRAM} shops create my-shop.myshopify.com --plan starter
  ${PROGRAM} keys create --shop my-shop.myshopify.com --name Storefront --scopes read_wishlists,write_wishlists
  ${PROGRAM} keys revoke wlk_…
  ${PROGRAM} secrets reseal

Every command has --help. With --json, results and errors are JSON; an error is {"error":{"code","message"}} with the code usage,
refused or failed. Errors go to standard error. The exit code is ${USAGE_EXIT_CODE} for usage errors and 1 for all others.`,
  )
  .addCommand(shopsCommand())
  .addCommand(keysCommand())
  .addCommand(secretsCommand());

/** Makes a command throw usage errors, which are reported below like all others. */
function throwOnUsageErrors(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => undefined });
  command.commands.forEach(throwOnUsageErrors);
}

function report(code: "usage" | "refused" | "failed", message: string): void {
  const asJson = process.argv.includes("--json");
  process.stderr.write(`${asJson ? JSON.stringify({ error: { code, message } }) : message}\n`);
}

/** Returns commander's message in one line, without secrets. */
function usageMessage({ message }: CommanderError): string {
  const [first = "", ...rest] = message
    .replace(/^error: /, "")
    .replace(/\bwls_\w+/g, "wls_…")
    .split("\n");
  const line = [first.replace(/\.?$/, "."), ...rest].join(" ");
  return `${line.charAt(0).toUpperCase()}${line.slice(1)} --help shows the usage.`;
}

throwOnUsageErrors(program);
try {
  await program.parseAsync();
} catch (error) {
  await haltIfEnding();
  if (!(error instanceof CommanderError)) {
    if (error instanceof Refusal) report("refused", error.message);
    else report("failed", explain(error));
    process.exitCode = 1;
  } else if (error.exitCode !== 0) {
    // For a group without a command, commander has already printed the help.
    if (error.code !== "commander.help") report("usage", usageMessage(error));
    process.exitCode = USAGE_EXIT_CODE;
  }
}
