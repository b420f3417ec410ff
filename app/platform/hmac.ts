import { hash } from "node:crypto";

const BLOCK_BYTES = 64;

/**
 * HMAC-SHA256 (RFC 2104) under one key, for what is checked with every request: `createHmac` makes a stream for each text, which costs
 * several times the two hashes.
 * @param key text, of any length
 */
export function hmacSha256(key: string): (text: string) => Buffer {
  const bytes = Buffer.from(key);
  const block = Buffer.alloc(BLOCK_BYTES);
  (bytes.length > BLOCK_BYTES ? hash("sha256", bytes, "buffer") : bytes).copy(block);
  const inner = block.map((byte) => byte ^ 0x36);
  const outer = block.map((byte) => byte ^ 0x5c);
  return (text) => {
    const first = hash("sha256", Buffer.concat([inner, Buffer.from(text)]), "buffer");
    return hash("sha256", Buffer.concat([outer, first]), "buffer");
  };
}
