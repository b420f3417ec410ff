import { setTimeout as after } from "node:timers/promises";
import { Failure, type Problem } from "../platform/failure.ts";
import { findUnacceptable, findTooManyValues } from "./body-bounds.ts";
import { HTTP_FAILURES } from "./failures.ts";

/** Maximum bytes of a request body, unless the operation declares another limit. */
export const BODY_LIMIT = 16 * 1024;
/** Maximum bytes of a body with a list of items. */
export const LIST_BODY_LIMIT = 256 * 1024;
/** Maximum bytes of a form of the admin's pages. */
export const FORM_BODY_LIMIT = 64 * 1024;

/** Checks the media type and that the charset is UTF-8, the only encoding of JSON (RFC 8259 §8.1). Other parameters are ignored. */
function isOfType(contentType: string, wanted: string): boolean {
  const [type, ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  return type === wanted && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

/** Milliseconds for which the rest of a body that is too large is read and discarded. */
const DISCARD_TIMEOUT = 1_000;

export function payloadTooLarge(limit: number): Failure {
  return new Failure("payload_too_large", `The request body has more than ${limit} bytes.`);
}

/** Reads a body. @returns undefined when it has more bytes than the limit */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array | undefined> {
  // The server delivers no more than the announced length, and has refused a length over the limit.
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

/** Reads on for a while: a connection that is closed while the client writes is reset, and the client may lose the response. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const finished = new AbortController();
  const waited = after(DISCARD_TIMEOUT, undefined, { signal: finished.signal }).catch(() => undefined);
  try {
    let part;
    do part = await Promise.race([reader.read(), waited]);
    while (part?.done === false);
  } finally {
    finished.abort();
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The format of a body, with the messages for a body that is empty or in another format. */
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

/** A browser's form. A repeated field becomes a list of its values, which the schemas refuse. */
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

/** Reads and parses a body. */
export async function readBody(
  request: Request,
  { format, limit }: { format: BodyFormat; limit: number },
): Promise<{ value: unknown } | Failure> {
  const type = request.headers.get("content-type");
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readBytes(request, limit);
  } catch {
    return new Failure("invalid_request", "The request body is incomplete. Send the request again.");
  }
  if (!bytes) return payloadTooLarge(limit);
  if (bytes.byteLength === 0) return new Failure("invalid_json", format.empty);
  if (type === null || !isOfType(type, format.type)) {
    return new Failure("unsupported_media_type", format.otherType);
  }
  if (!/^(identity)?$/i.test(request.headers.get("content-encoding") ?? "")) {
    return new Failure(
      "unsupported_media_type",
      "Compressed request bodies are not supported. Send the body without `Content-Encoding`.",
    );
  }
  const tooManyValues = bytes.byteLength > BODY_LIMIT && format === JSON_BODY ? findTooManyValues(bytes) : undefined;
  if (tooManyValues) return structureTooLarge(tooManyValues);
  try {
    const value = format.parse(utf8.decode(bytes));
    const problem = findUnacceptable(value);
    return problem ? structureTooLarge(problem) : { value };
  } catch (error) {
    const reason = error instanceof SyntaxError ? ` (${error.message})` : "";
    return new Failure("invalid_json", `The request body is not valid JSON in UTF-8${reason}.`);
  }
}

/**
 * Tells whether a request has a body, for operations that read none. The server does not expose the body of GET and HEAD, so a
 * `Transfer-Encoding` counts as a body there.
 */
export async function hasBody(request: Request): Promise<boolean> {
  const length = request.headers.get("content-length");
  if (length !== null) return Number(length) > 0;
  if (!request.headers.has("transfer-encoding")) return false;
  if (!request.body) return request.method === "GET" || request.method === "HEAD";
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (part.value.byteLength > 0) return true;
    }
    return false;
  } finally {
    reader.releaseLock();
  }
}
