/** `gid://shopify/Product/1` */
export function gid(type: string, id: string): string {
  return `gid://shopify/${type}/${id}`;
}

/** @returns type and number of a global id; undefined for anything else, as a bare number */
export function readGid(text: string): { type: string; id: string } | undefined {
  const match = /^gid:\/\/shopify\/([A-Za-z]+)\/(\d+)$/.exec(text);
  return match?.[1] !== undefined && match[2] !== undefined ? { type: match[1], id: match[2] } : undefined;
}
