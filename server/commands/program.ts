import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { explain, haltIfEnding } from "../fail.ts";
import { PROGRAM } from "../program-name.ts";
import { AttentionNeeded, Refusal } from "./refusal.ts";

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

/** The commands, in the order of the help. A command loads only its own modules, which takes half the time of all. */
const COMMANDS = new Map<string, () => Promise<Command>>([
  ["shops", async () => (await import("./shops.ts")).shopsCommand()],
  ["keys", async () => (await import("./keys.ts")).keysCommand()],
  ["secrets", async () => (await import("./secrets.ts")).secretsCommand()],
  ["database", async () => (await import("./database.ts")).databaseCommands()],
  ["outbox", async () => (await import("./outbox.ts")).outboxCommand()],
  ["status", async () => (await import("./status.ts")).statusCommand()],
]);

/** Loads the command that the arguments name, or all for the help. */
function loadCommands([name = ""]: readonly string[]): Promise<Command[]> {
  const named = COMMANDS.get(name);
  return Promise.all(named ? [named()] : Array.from(COMMANDS.values(), (load) => load()));
}

/** Where a command writes. */
export interface Streams {
  stdout: Pick<NodeJS.WritableStream, "write">;
  stderr: Pick<NodeJS.WritableStream, "write">;
}

async function createProgram(args: readonly string[], { stdout, stderr }: Streams): Promise<Command> {
  const program = new Command(PROGRAM)
    .description(
      "Manages the shops, API keys, encryption keys, database and outbox of the wishlist service, and shows its state.",
    )
    .version(packageJson.version, "-V, --version", "print the version")
    .addHelpText("after", HELP);
  for (const command of await loadCommands(args)) program.addCommand(command);
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
    const program = await createProgram(args, streams);
    await program.parseAsync(args, { from: "user" });
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
