import { domainToASCII } from "node:url";

/** The longest address (RFC 5321 §4.5.3.1, less the brackets). */
const MAX_LENGTH = 254;
/** What would end an address, or begin another one or a header. */
const SEPARATORS = /[\s\p{Cc},;<>()[\]\\]/u;

/**
 * Returns an address as mail servers take it: with the domain in ASCII.
 * @param text one address as the store has it, which its customer typed
 * @returns undefined for anything but one address of a host
 */
export function mailAddress(text: string): string | undefined {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at);
  const domain = domainToASCII(text.slice(at + 1));
  if (at < 1 || !/^[a-z\d-]+(\.[a-z\d-]+)+$/i.test(domain)) return undefined;
  // A quoted local part may hold separators, and no provider gives such addresses away.
  if (local.length > 64 || SEPARATORS.test(local) || /["@]/.test(local) || /^\.|\.$|\.\./.test(local)) return undefined;
  const address = `${local}@${domain}`;
  return address.length > MAX_LENGTH ? undefined : address;
}
