/** Characters between the quotes: 132 bits of a hash. */
const LENGTH = 22;

const OWN_TAG = /^"[\w-]{22}"$/;

/** An entity tag of a state that a hash stands for. All of the service's tags have this form. */
export function entityTag(hash: Buffer): string {
  return `"${hash.toString("base64url").slice(0, LENGTH)}"`;
}

/** Bytes of an `If-None-Match` that is read. A longer one names no copy: the response is sent whole. */
const HEADER_MAX = 2_048;

/** One element of the list, which may be empty (RFC 9110 §5.6.1), with the comma or the end behind it. */
const ELEMENT = /[ \t]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(,|$)/y;

/**
 * The service's own entity tags in an `If-None-Match` (RFC 9110 §13.1.2), without the mark of weak ones: the comparison is weak. `*` alone
 * stands for any. A header that is not valid is ignored.
 */
export function knownEntityTags(header: string | null): string[] {
  if (header === null || header.length > HEADER_MAX) return [];
  if (header.trim() === "*") return ["*"];
  const tags: string[] = [];
  ELEMENT.lastIndex = 0;
  for (;;) {
    const element = ELEMENT.exec(header);
    if (!element) return [];
    const [, tag, end] = element;
    if (tag !== undefined && OWN_TAG.test(tag)) tags.push(tag);
    if (end === "") return tags;
  }
}
