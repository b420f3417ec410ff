import { crc32 } from "node:zlib";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Returns a key id of one repeated character with a valid checksum. Attackers can compute the checksum as well, so such an
 * id reaches the database look-up.
 */
export function forgedKeyId(character: string): string {
  const body = `wlk_${character.repeat(22)}`;
  let rest = crc32(body);
  let checksum = "";
  for (let i = 0; i < 6; i++) {
    checksum = BASE62.charAt(rest % 62) + checksum;
    rest = Math.floor(rest / 62);
  }
  return body + checksum;
}
