import type { List } from "@wishlist-headless/sdk";

/** Returns what the page calls a list. The default list has no name before it is renamed. */
export function nameOf({ name }: List): string {
  return name ?? "My wishlist";
}
