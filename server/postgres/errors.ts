/** The data folder belongs to another running process. The message is one line: the folder, its owner, what to do. */
export class DataFolderInUseError extends Error {
  override name = "DataFolderInUseError";
}

/** The data folder, or a file in it, cannot be used. The message is one line that says what to do. */
export class DataFolderError extends Error {
  override name = "DataFolderError";
}

/** PostgreSQL could not be created, started or stopped. The message is one line; `log` is the end of its output. */
export class DatabaseServerError extends Error {
  override name = "DatabaseServerError";
  readonly log: string;

  constructor(message: string, log = "") {
    super(message);
    this.log = log;
  }
}

/** Returns the `code` of a Node.js system error or of a PostgreSQL error, and "" for other errors. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Returns the first line of an error's message. */
export function errorLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0] ?? "";
}

/** Returns a handler for `catch` that turns errors with one of these codes into undefined and rethrows all others. */
export function ignoreCodes(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(errorCode(error))) throw error;
  };
}

/** Finds the line in which a PostgreSQL program reports its failure, without the log prefix. */
export function findFailureLine(log: string): string | undefined {
  const line = log
    .split("\n")
    .find((text) => /FATAL|PANIC|ERROR|error:|could not|invalid|unrecognized|no space/i.test(text));
  return line?.replace(/^.*?(?=[A-Z]+: {2})/, "");
}
