import { pino } from "pino";
import { env } from "./env.server.ts";
import { isoTime } from "./iso-time.ts";

/**
 * All that a line can hold. The list is closed so that nothing gets into the log by being passed along: no body, no header, no raw path
 * (it can hold a share token), no credential.
 */
interface Fields {
  err?: unknown;
  requestId?: string;
  method?: string | undefined;
  /** the path's pattern, not the path */
  route?: string;
  /** the shop's domain */
  shop?: string;
  /** an API key's id */
  key?: string;
  /** code of an error answer */
  code?: string;
  status?: number;
  ms?: number;
  /** the caller went away before the answer was out */
  aborted?: boolean;
  operation?: string;
  step?: string;
  signal?: string;
  host?: string;
  port?: number;
}

const BLOCK_BYTES = 8 * 1024;
/** A line is written within this time, however few there are. */
const FLUSH_MS = 100;
/** A reader of the log that stands still costs lines, not memory without end. */
const BACKLOG_BYTES = 8 * 1024 * 1024;

let current: pino.Logger | undefined;

function logger(): pino.Logger {
  current ??= pino(
    {
      level: env().logLevel,
      base: null,
      timestamp: () => `,"time":"${isoTime(Date.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializeError },
    },
    // Asynchronous and in blocks: a write for each line would cost a request more than its own work does.
    pino.destination({
      dest: 1,
      sync: false,
      minLength: BLOCK_BYTES,
      periodicFlush: FLUSH_MS,
      maxLength: BACKLOG_BYTES,
    }),
  );
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

/** JSON lines on standard output. */
export const log = {
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
