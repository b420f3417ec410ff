import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { explain, haltIfEnding } from "../fail.ts";
import { PROGRAM } from "../program-name.ts";
import { databaseCommands } from "./database.ts";
import { keysCommand } from "./keys.ts";
import { Refusal } from "./refusal.ts";
import { AttentionNeeded } from "./run.ts";
import { secretsCommand } from "./secrets.ts";
import { shopsCommand } from "./shops.ts";
import { statusCommand } from "./status.ts";

const USAGE_EXIT_CODE = 2;

const HELP = `
Uses the database at DATABASE_URL if set, otherwise the embedded database of DATA_DIR (.data): that of a running demo or server, or
one that the command starts and stops.

Examples:
  ${PROGRAM} shops create my-shop.myshopify.com --plan starter
  ${PROGRAM} keys create --shop my-shop.myshopify.com --name Storefront --scopes read_wishlists,write_wishlists
  ${PROGRAM} keys revoke wlk_…
  ${PROGRAM} secrets reseal
  ${PROGRAM} database backup /backups/wishlist.zip
  ${PROGRAM} status

Every command has --help. With --json, results and errors are JSON; an error is {"error":{"code","message"}} with the code usage,
refused or failed. Errors go to standard error. The exit code is ${USAGE_EXIT_CODE} for usage errors and 1 for all others.`;

/** Where a command writes. */
export interface Streams {
  stdout: Pick<NodeJS.WritableStream, "write">;
  stderr: Pick<NodeJS.WritableStream, "write">;
}

function createProgram({ stdout, stderr }: Streams): Command {
  const program = new Command(PROGRAM)
    .description(
      "Manages the shops, API keys, encryption keys and database of the wishlist service, and shows its state.",
    )
    .version(packageJson.version, "-V, --version", "print the version")
    .addHelpText("after", HELP)
    .addCommand(shopsCommand())
    .addCommand(keysCommand())
    .addCommand(secretsCommand())
    .addCommand(databaseCommands())
    .addCommand(statusCommand());
  const configure = (command: Command): void => {
    // Usage errors are thrown, and reported like all others.
    command.exitOverride().configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      outputError: () => undefined,
    });
    command.commands.forEach(configure);
  };
  configure(program);
  return program;
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

/**
 * Runs a command of the operators' command line.
 * @param args without the program's own name
 * @returns the exit code: 0, 1 for a refused or failed command, 2 for a usage error
 */
export async function runProgram(args: readonly string[], streams: Streams): Promise<number> {
  const report = (code: "usage" | "refused" | "failed", message: string): void => {
    const line = args.includes("--json") ? JSON.stringify({ error: { code, message } }) : message;
    streams.stderr.write(`${line}\n`);
  };
  try {
    await createProgram(streams).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    await haltIfEnding();
    if (error instanceof AttentionNeeded) return 1;
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      // For a group without a command, commander has already printed the help.
      if (error.code !== "commander.help") report("usage", usageMessage(error));
      return USAGE_EXIT_CODE;
    }
    if (error instanceof Refusal) report("refused", error.message);
    else report("failed", explain(error));
    return 1;
  }
}
