/** `gid://shopify/Product/1` in a path as it is; clients and proxies may have made one slash of two. */
const RAW_GID = /gid:\/{1,2}shopify\/([A-Za-z]+)\/([^/?]+)/i;

/** @returns how to write the GID that a path holds unencoded, or undefined when it holds none */
export function rawGidAdvice(target: string): string | undefined {
  const [, type, tail] = RAW_GID.exec(target) ?? [];
  if (type === undefined || tail === undefined) return undefined;
  return `There is no endpoint at this path. Percent-encode the GID in it, as gid:%2F%2Fshopify%2F${type}%2F<id>, or send only its last part.`;
}
