import { promisify } from "node:util";
import { brotliCompress, constants, gzip, type BrotliOptions } from "node:zlib";
import { LRUCache } from "lru-cache";

/** Below this many bytes, compression costs more than it saves. */
const MIN_COMPRESSED_BYTES = 1024;

/** Concurrent compressions. zlib shares a small thread pool with the file system and name resolution. */
const MAX_CONCURRENT = 2;

/** Maximum characters of an `Accept-Encoding` that is parsed; browsers send about 20. */
const MAX_HEADER_LENGTH = 200;

export type Encoding = "br" | "gzip";

/** How much a compression takes. `fast` is for large pages of which a client reads many: a third of the time for a fifth more bytes. */
export type Effort = "normal" | "fast";

const compressors: Record<Encoding, (text: string, effort: Effort) => Promise<Buffer>> = {
  br: (text, effort) => brotli(text, BROTLI[effort]),
  gzip: (text, effort) => gzipped(text, { level: effort === "fast" ? 1 : 4 }),
};

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

// Normal: as small as gzip's best level, in a tenth of the time of brotli's default. A small window needs little memory per request.
const BROTLI = { normal: brotliOptions(4), fast: brotliOptions(1) };

function brotliOptions(quality: number): BrotliOptions {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_LGWIN]: 17,
    },
  };
}

/**
 * Chooses the encoding of a response (RFC 9110 §12.5.3).
 * @returns undefined when the client accepts neither encoding
 */
export function preferredEncoding(acceptEncoding: string | null | undefined): Encoding | undefined {
  if (acceptEncoding === null || acceptEncoding === undefined || acceptEncoding.length > MAX_HEADER_LENGTH)
    return undefined;
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(",")) {
    const [coding = "", weight] = part.split(";").map((piece) => piece.trim());
    weights.set(coding, weight === undefined ? 1 : Number(/^q=(\d(?:\.\d{1,3})?)$/.exec(weight)?.[1] ?? 0));
  }
  const weightOf = (coding: Encoding): number => weights.get(coding) ?? weights.get("*") ?? 0;
  const [br, gz] = [weightOf("br"), weightOf("gzip")];
  if (br === 0 && gz === 0) return undefined;
  return br >= gz ? "br" : "gzip";
}

/** Tells whether a text of this many bytes is compressed for clients that accept it. */
export function isWorthCompressing(bytes: number): boolean {
  return bytes >= MIN_COMPRESSED_BYTES;
}

let active = 0;

/**
 * Compresses a text off the event loop.
 * @returns undefined when the text is too short or too many are being compressed; the response is then sent uncompressed
 */
export async function compress(
  text: string,
  encoding: Encoding,
  effort: Effort = "normal",
): Promise<Buffer | undefined> {
  if (!isWorthCompressing(Buffer.byteLength(text)) || active >= MAX_CONCURRENT) return undefined;
  active++;
  try {
    return await compressors[encoding](text, effort);
  } finally {
    active--;
  }
}

const compressedTexts = new LRUCache<string, Buffer>({ max: 8 });

/** Compresses a text that is the same for all callers, and caches the result. */
export async function compressCached(text: string, encoding: Encoding): Promise<Buffer | undefined> {
  const key = `${encoding} ${text}`;
  const known = compressedTexts.get(key);
  if (known) return known;
  const made = await compress(text, encoding);
  if (made) compressedTexts.set(key, made);
  return made;
}

/** Returns the entity tag of a compressed response: weak, because the strong tag stands for the uncompressed bytes (RFC 9110 §8.8.1). */
export function toWeakTag(tag: string): string {
  return tag.startsWith("W/") ? tag : `W/${tag}`;
}

/** Adds `Accept-Encoding` to a `Vary` header. */
export function varyByEncoding(vary: string | null | undefined): string {
  return vary === null || vary === undefined || vary === "" ? "Accept-Encoding" : `${vary}, Accept-Encoding`;
}

/** Compresses a text response if the client accepts it. A response without a body is returned unchanged. */
export async function compressResponse(request: Request, response: Response): Promise<Response> {
  response.headers.set("Vary", varyByEncoding(response.headers.get("Vary")));
  const encoding = preferredEncoding(request.headers.get("accept-encoding"));
  if (!encoding || response.body === null || response.headers.has("Content-Encoding")) return response;
  const text = await response.text();
  const { status, statusText, headers } = response;
  const compressed = await compress(text, encoding);
  if (!compressed) return new Response(text, { status, statusText, headers });
  headers.set("Content-Encoding", encoding);
  headers.delete("Content-Length");
  return new Response(new Uint8Array(compressed), { status, statusText, headers });
}
