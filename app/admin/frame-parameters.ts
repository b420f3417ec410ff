/** Query parameters that Shopify's admin adds to the iframe's URL. A reload needs them to identify the shop. */
const FRAME_PARAMETERS = ["embedded", "shop", "host", "locale"];

/** Parameters of a single page load. Some are credentials, so they must not stay in the browser's history. */
const ONE_TIME_PARAMETERS = ["id_token", "hmac", "session", "timestamp", "appLoadId"];

/** The iframe's values of `FRAME_PARAMETERS`. */
const frameParameters = new Map<string, string>();

const STORAGE_KEY = "wishlist:interrupted-navigation";

function isAdminPage({ origin, pathname }: URL): boolean {
  return origin === location.origin && (pathname === "/app" || pathname.startsWith("/app/"));
}

/** Adds the frame's parameters to the URL of an admin page. Returns any other URL unchanged. */
function withFrameParameters(url: URL): URL {
  if (!isAdminPage(url)) return url;
  for (const name of ONE_TIME_PARAMETERS) url.searchParams.delete(name);
  for (const [name, value] of frameParameters) url.searchParams.set(name, value);
  return url;
}

/**
 * Returns the URL that opens a page of the app in a new tab. It names the shop but not the iframe, so the server redirects to the same page
 * inside Shopify's admin.
 */
export function newTabUrl(href: string): string {
  const url = withFrameParameters(new URL(href, location.href));
  if (isAdminPage(url)) url.searchParams.delete("embedded");
  return url.href;
}

/** Rewrites a link for opening in a new tab. On a plain click the router navigates and ignores `href`. */
function prepareLinkForNewTab({ target }: Event): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (link) link.href = newTabUrl(link.href);
}

/** Browsers may deny storage to an iframe of another site. */
function storage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

/**
 * Stores the target of a navigation until it ends. After a deploy, a script of the next page may no longer exist; Remix then reloads the
 * current page instead.
 * @param to undefined when no navigation is in progress
 */
export function rememberNavigation(to: string | undefined): void {
  if (to === undefined) storage()?.removeItem(STORAGE_KEY);
  // Paths are URL-encoded, so a space separates them.
  else storage()?.setItem(STORAGE_KEY, `${location.pathname} ${to}`);
}

/** Returns the target of a navigation that a reload of this page interrupted. */
function interruptedNavigation(): string | undefined {
  const stored = storage()?.getItem(STORAGE_KEY) ?? null;
  if (stored === null) return undefined;
  rememberNavigation(undefined);
  const [from, to] = stored.split(" ");
  return from === location.pathname ? to : undefined;
}

/**
 * Keeps the frame's parameters in the URL of every navigation. Call it once, before the router reads the URL.
 * @returns false when another page is about to replace this one
 */
export function keepFrameParameters(): boolean {
  const current = new URL(location.href);
  for (const name of FRAME_PARAMETERS) {
    const value = current.searchParams.get(name);
    if (value !== null) frameParameters.set(name, value);
  }
  for (const name of ["pushState", "replaceState"] as const) {
    const write = history[name].bind(history);
    history[name] = (state, unused, url) =>
      write(state, unused, url && withFrameParameters(new URL(url, location.href)));
  }
  history.replaceState(history.state, "", current);
  // Ctrl+click, middle click, and the browser's context menu.
  for (const type of ["click", "auxclick", "contextmenu"]) addEventListener(type, prepareLinkForNewTab, true);
  const interrupted = interruptedNavigation();
  if (interrupted === undefined) return true;
  location.replace(withFrameParameters(new URL(interrupted, location.href)));
  return false;
}
