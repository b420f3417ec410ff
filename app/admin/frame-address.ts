/** Parameters that Shopify's admin puts into the frame's address and that a reload needs: without them the app does not know its shop. */
const KEPT = ["embedded", "shop", "host", "locale"];

/** Parameters of a single load. They are credentials, or mean nothing later, and must not stay in the browser's history. */
const DROPPED = ["id_token", "hmac", "session", "timestamp", "appLoadId"];

/** The frame's own values of these parameters. */
const kept = new Map<string, string>();

const INTERRUPTED = "wishlist:interrupted-navigation";

function isAdminPage({ origin, pathname }: URL): boolean {
  return origin === location.origin && (pathname === "/app" || pathname.startsWith("/app/"));
}

/** Returns an address of the admin's pages with the frame's parameters, and any other address as it is. */
function withParameters(address: URL): URL {
  if (!isAdminPage(address)) return address;
  for (const name of DROPPED) address.searchParams.delete(name);
  for (const [name, value] of kept) address.searchParams.set(name, value);
  return address;
}

/**
 * Returns the address at which a page of the app opens in a tab of its own. It names the shop and no frame: the server redirects from there to
 * the same page in Shopify's admin.
 */
export function addressInNewTab(href: string): string {
  const address = withParameters(new URL(href, location.href));
  if (isAdminPage(address)) address.searchParams.delete("embedded");
  return address.href;
}

/** Lets a link that is opened in a new tab lead there. A plain click is the router's, which does not read the link's address. */
function prepareNewTab({ target }: Event): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (link) link.href = addressInNewTab(link.href);
}

/** The frame may be denied storage. */
function storage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

/**
 * Remembers where a navigation leads until it ends. After a deploy, a script of the next page may no longer exist; Remix then reloads the page
 * that the merchant is about to leave.
 * @param to undefined when no navigation is under way
 */
export function rememberNavigation(to: string | undefined): void {
  if (to === undefined) storage()?.removeItem(INTERRUPTED);
  // Paths are URL-encoded, so a space separates them.
  else storage()?.setItem(INTERRUPTED, `${location.pathname} ${to}`);
}

/** Returns where the navigation led that a reload of this page interrupted. */
function interruptedNavigation(): string | undefined {
  const kept = storage()?.getItem(INTERRUPTED) ?? null;
  if (kept === null) return undefined;
  rememberNavigation(undefined);
  const [from, to] = kept.split(" ");
  return from === location.pathname ? to : undefined;
}

/**
 * Keeps the frame's parameters in the address of every page that the router goes to. To be called once, before the router reads the address.
 * @returns false when the page is about to be replaced by another one
 */
export function keepFrameAddress(): boolean {
  const here = new URL(location.href);
  for (const name of KEPT) {
    const value = here.searchParams.get(name);
    if (value !== null) kept.set(name, value);
  }
  for (const name of ["pushState", "replaceState"] as const) {
    const write = history[name].bind(history);
    history[name] = (state, unused, url) => write(state, unused, url && withParameters(new URL(url, location.href)));
  }
  history.replaceState(history.state, "", here);
  // Ctrl and click, the middle button, and the browser's menu of a link.
  for (const press of ["click", "auxclick", "contextmenu"]) addEventListener(press, prepareNewTab, true);
  const interrupted = interruptedNavigation();
  if (interrupted === undefined) return true;
  location.replace(withParameters(new URL(interrupted, location.href)));
  return false;
}
