import { format } from "node:util";
import { log } from "./log.server.ts";

/**
 * Writes what libraries print to the console, and the warnings of Node.js, as lines of the log: containers mix standard output and standard
 * error, and log collectors expect JSON on every line.
 */
export function logConsole(): void {
  const at = (level: keyof typeof log) => {
    return (...parts: unknown[]): void => {
      log[level]({}, format(...parts));
    };
  };
  const [info, warn, error] = [at("info"), at("warn"), at("error")];
  Object.assign(console, { debug: info, info, log: info, warn, error });
  // Node.js' own listener prints them to standard error.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => {
    log.warn({ err: warning }, "a warning of Node.js");
  });
}
