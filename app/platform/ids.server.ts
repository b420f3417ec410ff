import { randomFillSync, randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECKSUM_LENGTH = 6; // 62^6 > 2^32: holds any CRC-32

// Random bytes are fetched in bulk, because a system call for each id would dominate its cost.
const POOL_BYTES = 8192;
const drawn = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

function randomByte(): number {
  if (used === POOL_BYTES) {
    randomFillSync(drawn);
    used = 0;
  }
  const byte = drawn.readUInt8(used);
  // Erased, because ids can be secrets.
  drawn[used++] = 0;
  return byte;
}

/** Returns `length` random base62 characters, 5.95 bits each. */
export function randomBase62(length: number): string {
  let out = "";
  while (out.length < length) {
    const byte = randomByte();
    // 248 is the largest multiple of 62 in a byte. Skipping larger values keeps all characters equally likely.
    if (byte < 248) out += BASE62.charAt(byte % 62);
  }
  return out;
}

/** Returns a whole number in base62, with leading zeros up to `length`. */
export function toBase62(value: number, length = 1): string {
  let out = "";
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) out = BASE62.charAt(rest % 62) + out;
  return out.padStart(length, "0");
}

/** Returns the number that `toBase62` has written; undefined for other texts and for numbers above 2^53. */
export function fromBase62(text: string): number | undefined {
  let value = 0;
  for (const character of text) {
    const digit = BASE62.indexOf(character);
    if (digit < 0) return undefined;
    value = value * 62 + digit;
  }
  return text !== "" && Number.isSafeInteger(value) ? value : undefined;
}

function checksum(text: string): string {
  return toBase62(crc32(text), CHECKSUM_LENGTH);
}

/** Returns `prefix` + random base62 + checksum. The checksum detects typing errors without a look-up, and lets leak scanners match the id. */
export function checkedId(prefix: string, length: number): string {
  const body = prefix + randomBase62(length);
  return body + checksum(body);
}

/** Tells whether a text has the form and checksum of an id from `checkedId` with the same prefix and length. */
export function isCheckedId(text: string, prefix: string, length: number): boolean {
  if (text.length !== prefix.length + length + CHECKSUM_LENGTH || !text.startsWith(prefix)) return false;
  // The checksum is no proof of origin, and other characters must not reach a query (PostgreSQL refuses NUL).
  if (!/^\w+$/.test(text)) return false;
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** Returns a request id with 130 random bits. */
export function requestId(): string {
  return "req_" + randomBase62(22);
}

/** Returns an id with which a process marks the leases that it holds. */
export function holderId(): string {
  return randomUUID();
}
