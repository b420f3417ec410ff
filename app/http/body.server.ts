import { setTimeout as after } from "node:timers/promises";
import { Failure, type Problem } from "../platform/failure.ts";
import { findOversized, findTooManyValues } from "./body-bounds.ts";
import { HTTP_FAILURES } from "./failures.ts";

/** Bytes that the body of a request may have whose operation says nothing else. */
export const BODY_LIMIT = 16 * 1024;
/** The same for lists of items. */
export const LIST_BODY_LIMIT = 256 * 1024;
/** The same for forms of the admin's pages. */
export const FORM_BODY_LIMIT = 64 * 1024;

/** Is it of the type and in UTF-8, the only encoding that JSON has (RFC 8259 §8.1)? Parameters beside `charset` mean nothing. */
function isOfType(contentType: string, wanted: string): boolean {
  const [type, ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  return type === wanted && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

/** Milliseconds that the rest of a body that is too large is read and thrown away. */
const DISCARD_TIMEOUT = 1_000;

export function payloadTooLarge(limit: number): Failure {
  return new Failure("payload_too_large", `The request body has more than ${limit} bytes.`);
}

/** The body's bytes, or undefined when there are more than the limit. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array | undefined> {
  // With a length given the server delivers no more than that, and the front has refused a length over the limit.
  if (request.headers.has("content-length")) return new Uint8Array(await request.arrayBuffer());
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > limit) {
      await discard(reader);
      return undefined;
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

/** A connection that is closed while the client still writes is reset, and the answer may be lost on its way. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const enough = new AbortController();
  const waited = after(DISCARD_TIMEOUT, undefined, { signal: enough.signal }).catch(() => undefined);
  try {
    let part;
    do part = await Promise.race([reader.read(), waited]);
    while (part?.done === false);
  } finally {
    enough.abort();
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** How a body is written, with the words for one that is not. */
export interface BodyFormat {
  type: string;
  empty: string;
  otherType: string;
  /** @throws SyntaxError */
  parse: (text: string) => unknown;
}

export const JSON_BODY: BodyFormat = {
  type: "application/json",
  empty: HTTP_FAILURES.invalid_json.message,
  otherType: HTTP_FAILURES.unsupported_media_type.message,
  parse: (text): unknown => JSON.parse(text),
};

/** What a browser sends of a form. A field that is given twice has both values, which no schema of ours takes for one. */
export const FORM_BODY: BodyFormat = {
  type: "application/x-www-form-urlencoded",
  empty: "The form is empty.",
  otherType: "Send the body as a form, with `Content-Type: application/x-www-form-urlencoded`.",
  parse(text) {
    const fields = new Map<string, string | string[]>();
    for (const [name, value] of new URLSearchParams(text)) {
      const known = fields.get(name);
      if (known === undefined) fields.set(name, value);
      else if (typeof known === "string") fields.set(name, [known, value]);
      else known.push(value);
    }
    return Object.fromEntries(fields);
  },
};

function structureTooLarge(problem: Problem): Failure {
  return new Failure("invalid_request", `${problem.path} ${problem.problem}.`, { details: [problem] });
}

/** Reads the body and parses it. */
export async function readBody(
  request: Request,
  { format, limit }: { format: BodyFormat; limit: number },
): Promise<{ value: unknown } | Failure> {
  const type = request.headers.get("content-type");
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readBytes(request, limit);
  } catch {
    return new Failure("invalid_request", "The request body did not arrive whole.");
  }
  if (!bytes) return payloadTooLarge(limit);
  if (bytes.byteLength === 0) return new Failure("invalid_json", format.empty);
  if (type === null || !isOfType(type, format.type)) {
    return new Failure("unsupported_media_type", format.otherType);
  }
  if (!/^(identity)?$/i.test(request.headers.get("content-encoding") ?? "")) {
    return new Failure("unsupported_media_type", "Send the body as it is, without a `Content-Encoding`.");
  }
  const crowded = bytes.byteLength > BODY_LIMIT && format === JSON_BODY ? findTooManyValues(bytes) : undefined;
  if (crowded) return structureTooLarge(crowded);
  try {
    const value = format.parse(utf8.decode(bytes));
    const problem = findOversized(value);
    return problem ? structureTooLarge(problem) : { value };
  } catch (error) {
    const reason = error instanceof SyntaxError ? ` (${error.message})` : "";
    return new Failure("invalid_json", `The request body is not valid JSON in UTF-8${reason}.`);
  }
}
