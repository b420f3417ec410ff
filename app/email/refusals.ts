/** Of a refused recipient: no such mailbox, or one that takes nothing (RFC 3463 §3.2, §3.3). Other reasons say nothing about the address. */
const NO_MAILBOX = /\b5\.(?:1\.[0-36]|2\.1)\b/;

/** Tells whether a permanent refusal of a recipient is about the address. @param response of a mail server, with or without a status of RFC 3463 */
export function isAboutAddress(response: string): boolean {
  return NO_MAILBOX.test(response) || !/\b5\.\d{1,3}\.\d{1,3}\b/.test(response);
}

const TEXT_LIMIT = 300;

/** Replaces control characters, which PostgreSQL and terminals do not take. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, "\uFFFD").slice(0, TEXT_LIMIT);
}
