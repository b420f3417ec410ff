import { pino } from "pino";
import { env } from "./env.server.ts";

// Names under which a secret could be passed by mistake. What is logged is chosen by hand; this is the second net.
const REDACTED = ["api_secret", "authorization", "secret", "token", "password", "shareToken", "tokenSealed"];

let current: pino.Logger | undefined;
let flushing: NodeJS.Timeout | undefined;

function logger(): pino.Logger {
  current ??= pino(
    {
      level: env().logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: "[redacted]" },
      serializers: { err: serializeError },
    },
    // Asynchronous: a slow reader of the log must not hold up requests.
    pino.destination({ dest: 1, sync: false, minLength: 4096, maxLength: 8 * 1024 * 1024 }),
  );
  if (!flushing) {
    flushing = setInterval(() => current?.flush(), 500);
    flushing.unref();
  }
  return current;
}

/** Message, code and stack. A database error's `detail` is left out: it quotes the values of the row. */
function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    name: error.name,
    message: error.message,
    ...("code" in error ? { code: error.code } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}

type Fields = Record<string, unknown>;

/** JSON lines on standard output. */
export const log = {
  debug: (fields: Fields, message: string): void => {
    logger().debug(fields, message);
  },
  info: (fields: Fields, message: string): void => {
    logger().info(fields, message);
  },
  warn: (fields: Fields, message: string): void => {
    logger().warn(fields, message);
  },
  error: (fields: Fields, message: string): void => {
    logger().error(fields, message);
  },
};

/** Writes out what is still in memory. */
export function flushLog(): Promise<void> {
  return new Promise((resolve) => {
    if (!current) resolve();
    else
      current.flush(() => {
        resolve();
      });
  });
}
