import { randomFillSync, randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECKSUM_LENGTH = 6; // 62^6 > 2^32: holds any CRC-32

// Drawn in bulk: asking the system for each id costs more than everything else about it.
const POOL_BYTES = 8192;
const drawn = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

function randomByte(): number {
  if (used === POOL_BYTES) {
    randomFillSync(drawn);
    used = 0;
  }
  const byte = drawn.readUInt8(used);
  // A byte is used once and not kept: what was handed out is no longer in memory here.
  drawn[used++] = 0;
  return byte;
}

/** `length` random base62 characters, 5.95 bits each. */
export function randomBase62(length: number): string {
  let out = "";
  while (out.length < length) {
    const byte = randomByte();
    // 248 is the largest multiple of 62 in a byte: dropping the rest keeps every character equally likely.
    if (byte < 248) out += BASE62.charAt(byte % 62);
  }
  return out;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let out = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    out = BASE62.charAt(rest % 62) + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}

/** `prefix` + random base62 + checksum: a typing error is noticed without a look-up, and leak scanners can match it. */
export function checkedId(prefix: string, length: number): string {
  const body = prefix + randomBase62(length);
  return body + checksum(body);
}

/** Was this made by `checkedId` with the same prefix and length, and copied without an error? */
export function isCheckedId(text: string, prefix: string, length: number): boolean {
  if (text.length !== prefix.length + length + CHECKSUM_LENGTH || !text.startsWith(prefix)) return false;
  // Anybody can compute a checksum: what else is in the text must not reach a query (PostgreSQL refuses NUL).
  if (!/^\w+$/.test(text)) return false;
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** 22 characters: 130 random bits. */
export function requestId(): string {
  return "req_" + randomBase62(22);
}

/** Tells one process from another in what they hold for a while. */
export function holderId(): string {
  return randomUUID();
}
