// Addresses of the customer accounts, and the browser's history of a full-page extension.
import type { HistoryEntry, NavigationType } from "./vocabulary.ts";

const PAGES = "/account/pages/";

/** What the page keeps with an entry of the history: a key that the entry's replacement inherits, and the extension's state. */
interface Kept {
  key: string;
  state: unknown;
}

function kept(): Kept | null {
  return history.state as Kept | null;
}

export function currentEntry(): HistoryEntry {
  const { key, state } = kept() ?? { key: crypto.randomUUID(), state: undefined };
  if (!kept()) history.replaceState({ key, state }, "");
  return { key, url: location.href, state };
}

/** Returns the handle of the extension whose page this is. */
function shownHandle(): string | undefined {
  return location.pathname.startsWith(PAGES) ? location.pathname.slice(PAGES.length).split("/")[0] : undefined;
}

/** Returns the address of a URL with Shopify's protocols: `extension:/` is this extension's page, `extension:handle/` that of another one. */
function addressOf(url: string): string {
  const search = location.search;
  const [, hostPage] = /^shopify:customer-account\/(.*)$/.exec(url) ?? [];
  if (hostPage !== undefined) return `/account/${hostPage}${search}`;
  const [, handle = "", path = ""] = /^extension:(?:\/\/)?([\w-]*)(\/.*)?$/.exec(url) ?? [];
  if (!url.startsWith("extension:")) return url;
  return `${PAGES}${handle || (shownHandle() ?? "")}${path === "/" ? "" : path}${search}`;
}

/**
 * Follows a link or a call of the extension. An address of the same extension replaces only the entry of the history; the extension shows it.
 * @returns how the history has changed; undefined when another page is loaded
 */
export function follow(
  url: string,
  mode: "auto" | "push" | "replace" = "auto",
  state?: unknown,
): NavigationType | undefined {
  const address = new URL(addressOf(url), location.href);
  const handle = shownHandle();
  const own = handle !== undefined && `${address.pathname}/`.startsWith(`${PAGES}${handle}/`);
  if (!own || address.origin !== location.origin) {
    if (mode === "replace") location.replace(address);
    else location.assign(address);
    return undefined;
  }
  // Like browsers, `auto` replaces the entry of the same address.
  if (mode === "replace" || (mode === "auto" && address.href === location.href)) {
    history.replaceState({ key: currentEntry().key, state }, "", address);
    return "replace";
  }
  history.pushState({ key: crypto.randomUUID(), state }, "", address);
  return "push";
}

/** Replaces the state of the current entry. */
export function updateState(state: unknown): void {
  history.replaceState({ key: currentEntry().key, state }, "");
}
