import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";

/** Bytes below which compressing costs more than it saves. */
const MIN_COMPRESSED_BYTES = 1024;

/** Texts that are compressed at the same time. zlib shares its few threads with the file system and name resolution. */
const MAX_CONCURRENT = 2;

/** Characters of an `Accept-Encoding` that is read; browsers send about twenty. */
const MAX_HEADER_LENGTH = 200;

export type Encoding = "br" | "gzip";

const compressors: Record<Encoding, (text: string) => Promise<Buffer>> = {
  br: (text) => brotli(text, BROTLI),
  gzip: (text) => gzipped(text, { level: 4 }),
};

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

// As small as gzip's best at a tenth of the time of brotli's own default. A small window costs little memory per request.
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: 17,
  },
};

/**
 * Chooses how an answer is compressed (RFC 9110 §12.5.3).
 * @returns undefined when the client accepts neither
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

/** Is a text of this many bytes compressed for clients that accept it? */
export function isWorthCompressing(bytes: number): boolean {
  return bytes >= MIN_COMPRESSED_BYTES;
}

let active = 0;

/**
 * Compresses a text off the event loop.
 * @returns undefined when it is too short, or when others are being compressed: the answer then goes out as it is instead of waiting
 */
export async function compress(text: string, encoding: Encoding): Promise<Buffer | undefined> {
  if (!isWorthCompressing(Buffer.byteLength(text)) || active >= MAX_CONCURRENT) return undefined;
  active++;
  try {
    return await compressors[encoding](text);
  } finally {
    active--;
  }
}

const compressedTexts = new LRUCache<string, Buffer>({ max: 8 });

/** The same for a text that is the same for everybody: it is compressed once. */
export async function compressCached(text: string, encoding: Encoding): Promise<Buffer | undefined> {
  const key = `${encoding} ${text}`;
  const known = compressedTexts.get(key);
  if (known) return known;
  const made = await compress(text, encoding);
  if (made) compressedTexts.set(key, made);
  return made;
}

/** The entity tag of a compressed answer: weak, because its bytes are not those that the strong one stands for (RFC 9110 §8.8.1). */
export function toWeakTag(tag: string): string {
  return tag.startsWith("W/") ? tag : `W/${tag}`;
}

/** Adds `Accept-Encoding` to what an answer depends on. */
export function varyByEncoding(vary: string | null | undefined): string {
  return vary === null || vary === undefined || vary === "" ? "Accept-Encoding" : `${vary}, Accept-Encoding`;
}

/** Compresses a whole response of text where the client accepts it. A response without a body stays as it is. */
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
