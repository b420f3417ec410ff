import { hostname } from "node:os";
import { nowMs } from "../clock.server.ts";
import { env, type Env } from "../process/env.server.ts";
import { isoTime } from "../text/iso-time.ts";
import { currentSpan } from "../tracing/context.server.ts";
import { lineWriter, type LineWriter } from "./line-writer.server.ts";

/**
 * The fields of a log line. The list is closed, so that no body, header, raw path (which can contain a share token) or credential reaches
 * the log by accident.
 */
interface Fields {
  err?: unknown;
  requestId?: string;
  /** the id that the caller has given the request, if it is well-formed */
  clientRequestId?: string | undefined;
  /** of the trace that the line belongs to, when it is exported; set by itself in traced work */
  traceId?: string | undefined;
  method?: string | undefined;
  /** the pattern of the path, not the path itself */
  route?: string;
  /** the shop's domain */
  shop?: string;
  /** the shop's id, where its domain is not at hand */
  shopId?: number;
  /** an API key's id */
  key?: string;
  /** error code of the response */
  code?: string;
  status?: number;
  ms?: number;
  /** the caller disconnected before the response was sent */
  aborted?: boolean;
  operation?: string;
  step?: string;
  /** a webhook's id */
  endpoint?: string;
  /** a topic of Shopify's webhooks */
  topic?: string;
  reason?: string;
  job?: string;
  signal?: string;
  host?: string;
  port?: number;
}

const WEIGHT = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 } satisfies Record<Env["logLevel"], number>;

/** Tells the processes of one machine, pod or container apart from those of others. */
const INSTANCE = hostname();

let output: LineWriter | undefined;
let processRole: string | undefined;

/** Sets the role in the lines of a process that is none of the service's, such as the command line. */
export function setLogRole(role: string): void {
  processRole = role;
}

/** Describes a thrown value that is not an Error. Shopify's library throws responses, whose bodies must not be logged. */
function describe(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  if ("status" in thrown && typeof thrown.status === "number") return `a response with status ${thrown.status}`;
  if ("message" in thrown && typeof thrown.message === "string") return thrown.message;
  return `an object of ${thrown.constructor.name}`;
}

/** Returns message, code and stack. A database error's `detail` is omitted, because it contains values of the row. */
function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: describe(error) };
  return {
    name: error.name,
    message: error.message,
    ...("code" in error ? { code: error.code } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}

function writeLine(level: "info" | "warn" | "error", fields: Fields, msg: string): void {
  if (WEIGHT[level] < WEIGHT[env().logLevel]) return;
  output ??= lineWriter(1);
  const { err } = fields;
  const shown = err === undefined ? fields : { ...fields, err: serializeError(err) };
  const span = currentSpan();
  const traceId = span?.traceparent === undefined ? undefined : span.traceId;
  const origin = { role: processRole ?? env().role, pid: process.pid, instance: INSTANCE };
  output.write(JSON.stringify({ level, time: isoTime(nowMs()), ...origin, traceId, ...shown, msg }) + "\n");
}

/** JSON lines on standard output. */
export const log = {
  info: (fields: Fields, message: string): void => {
    writeLine("info", fields, message);
  },
  warn: (fields: Fields, message: string): void => {
    writeLine("warn", fields, message);
  },
  error: (fields: Fields, message: string): void => {
    writeLine("error", fields, message);
  },
};

/** Writes buffered lines. */
export async function flushLog(): Promise<void> {
  await output?.flush();
}
