import { list, text } from "./checked.ts";

/** The products that the visitor viewed last, by handle, newest first. In localStorage or sessionStorage. */
const KEY = "wishlist:viewed";
const MOST = 12;
const HANDLE = /^[^/?#\s]{1,255}$/;

function kept(storage: Storage): string[] {
  try {
    const parsed: unknown = JSON.parse(storage.getItem(KEY) ?? "[]");
    return list(parsed)
      .map(text)
      .filter((handle) => HANDLE.test(handle));
  } catch {
    return [];
  }
}

/** Returns the handles, newest first; none where the browser blocks storage. */
export function readViewed(): string[] {
  try {
    return [...new Set([...kept(sessionStorage), ...kept(localStorage)])].slice(0, MOST);
  } catch {
    return [];
  }
}

/**
 * Remembers a viewed product.
 * @param isAllowed whether the visitor allows the store to remember preferences: beyond the visit only then; undefined while that is not known
 */
export function rememberViewed(handle: string, isAllowed: boolean | undefined): void {
  try {
    const next = JSON.stringify([...new Set([handle, ...readViewed()])].slice(0, MOST));
    (isAllowed ? localStorage : sessionStorage).setItem(KEY, next);
    if (isAllowed !== undefined) (isAllowed ? sessionStorage : localStorage).removeItem(KEY);
  } catch {
    // Storage is blocked or full.
  }
}
