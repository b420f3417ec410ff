import { useEffect, useState } from "preact/hooks";
import { addressOfList, listOfAddress } from "./list-address.ts";

/** Returns the list that the page's address names, also after the customer went back or forward. */
export function useListOfAddress(): string {
  const [listId, setListId] = useState(() => listOfAddress(navigation.currentEntry?.url));
  useEffect(() => {
    // Before API version 2027-01, the event's `from` is the new entry; `currentEntry` means the same in all versions.
    const update = (): void => setListId(listOfAddress(navigation.currentEntry?.url));
    navigation.addEventListener("currententrychange", update);
    return () => navigation.removeEventListener("currententrychange", update);
  }, []);
  return listId;
}

/** Changes the address to that of a list. @param history whether the page before stays in the browser's history */
export function goToList(listId: string, history: "push" | "replace"): void {
  navigation.navigate(addressOfList(listId), { history });
}
