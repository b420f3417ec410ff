export const DEFAULT_LIST = "default";

/** Returns the list that the page's address names: its last segments are `lists` and an id, or it is the default list's. */
export function listOfAddress(url: string | null | undefined): string {
  const { pathname } = new URL(url ?? "", "extension:/");
  return /\/lists\/([\w-]+)\/?$/.exec(pathname)?.[1] ?? DEFAULT_LIST;
}

/** Returns the address of a list, as a route of the extension. */
export function addressOfList(listId: string): string {
  return listId === DEFAULT_LIST ? "extension:/" : `extension:/lists/${listId}`;
}
