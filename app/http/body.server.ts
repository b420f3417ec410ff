import { Failure } from "../platform/failure.ts";

/** Bytes that the body of a /v1 or proxy request may have. */
export const BODY_LIMIT = 256 * 1024;

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

export function tooLarge(): Failure {
  return new Failure("payload_too_large", `The request body has more than ${BODY_LIMIT} bytes.`);
}

/** The body's bytes, or undefined when there are more than the limit. */
async function readBytes(request: Request): Promise<Uint8Array | undefined> {
  // With a length given the server delivers no more than that, and the front has refused a length over the limit.
  if (request.headers.has("content-length")) return new Uint8Array(await request.arrayBuffer());
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > BODY_LIMIT) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

/** The body parsed as JSON. */
export async function readJson(request: Request): Promise<{ value: unknown } | Failure> {
  const type = request.headers.get("content-type");
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readBytes(request);
  } catch {
    return new Failure("invalid_request", "The request body did not arrive whole.");
  }
  if (!bytes) return tooLarge();
  if (bytes.byteLength === 0) return new Failure("invalid_json", "The request has no body. Send a JSON object.");
  if (type === null || !JSON_TYPE.test(type)) {
    return new Failure("unsupported_media_type", "Send the body as JSON, with `Content-Type: application/json`.");
  }
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch (error) {
    const reason = error instanceof SyntaxError ? ` (${error.message})` : "";
    return new Failure("invalid_json", `The request body is not valid JSON in UTF-8${reason}.`);
  }
}
