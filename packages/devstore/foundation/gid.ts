/** Returns a global id such as `gid://shopify/Product/1`. */
export function gid(type: string, id: string): string {
  return `gid://shopify/${type}/${id}`;
}

/** Parses a global id. @returns undefined for any other text, such as a bare number */
export function parseGid(text: string): { type: string; id: string } | undefined {
  const match = /^gid:\/\/shopify\/([A-Za-z]+)\/(\d+)$/.exec(text);
  return match?.[1] !== undefined && match[2] !== undefined ? { type: match[1], id: match[2] } : undefined;
}
