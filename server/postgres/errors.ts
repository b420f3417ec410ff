/** The data folder belongs to another live process. The message is one line: which folder, held by whom, what to do. */
export class DataFolderInUseError extends Error {
  override name = "DataFolderInUseError";
}

/** The data folder, or something in it, cannot be used as it is. The message is one line that says what to do. */
export class DataFolderError extends Error {
  override name = "DataFolderError";
}

/** PostgreSQL could not be made, started or stopped. The message is one line; `log` is the end of what it wrote. */
export class DatabaseServerError extends Error {
  override name = "DatabaseServerError";
  readonly log: string;

  constructor(message: string, log = "") {
    super(message);
    this.log = log;
  }
}

/** The `code` of a Node.js system error or of a PostgreSQL error, and "" for anything else. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** The first line of what `error` has to say. */
export function errorLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0] ?? "";
}

/** For `catch`: turns errors with one of these codes into undefined and throws the others again. */
export function unless(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(errorCode(error))) throw error;
  };
}

/** The line in which PostgreSQL's programs say why they failed, without what precedes it; undefined if there is none. */
export function complaintIn(log: string): string | undefined {
  const line = log
    .split("\n")
    .find((text) => /FATAL|PANIC|ERROR|error:|could not|invalid|unrecognized|no space/i.test(text));
  return line?.replace(/^.*?(?=[A-Z]+: {2})/, "");
}
