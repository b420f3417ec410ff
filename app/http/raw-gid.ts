/** An unencoded `gid://shopify/Product/1` in a path; clients and proxies may have merged its two slashes. */
const RAW_GID = /gid:\/{1,2}shopify\/([A-Za-z]+)\/([^/?]+)/i;

/** Explains how to encode the GID in a path. @returns undefined when the path has no unencoded GID */
export function rawGidAdvice(target: string): string | undefined {
  const [, type, tail] = RAW_GID.exec(target) ?? [];
  if (type === undefined || tail === undefined) return undefined;
  return `There is no endpoint at this path. Percent-encode the GID in it, as gid:%2F%2Fshopify%2F${type}%2F<id>, or send only its last part.`;
}
