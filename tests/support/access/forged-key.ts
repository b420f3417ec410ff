import { crc32 } from "node:zlib";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * A key id made of one repeated character, with the checksum that it needs to pass for well-formed: the checksum is no secret, so an
 * attacker can get any text as far as the look-up.
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
