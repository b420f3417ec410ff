/** Characters between the quotes: 132 bits of a hash. */
const LENGTH = 22;

const OWN_TAG = /^"[\w-]{22}"$/;

/** Returns the entity tag for the hash of a state. All tags of the service have this form. */
export function entityTag(hash: Buffer): string {
  return `"${hash.toString("base64url").slice(0, LENGTH)}"`;
}

/** Maximum length of an `If-None-Match`. A longer header is ignored. */
const HEADER_MAX = 2_048;

/** An element of the list, which may be empty (RFC 9110 §5.6.1), with the following comma or the end. */
const ELEMENT = /[ \t]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(,|$)/y;

/**
 * Returns the service's entity tags in an `If-None-Match` (RFC 9110 §13.1.2), without the prefix of weak tags, because the comparison is
 * weak. `*` matches any tag. An invalid header is ignored.
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
