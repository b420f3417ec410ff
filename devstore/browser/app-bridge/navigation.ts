import type { Config } from "./config.ts";
import type { Wire } from "./wire.ts";

/**
 * The bounce page: a document request without a good session token ends here, and goes on to where it was meant with a
 * fresh one.
 * @returns whether this is that page
 */
export function followReload(idToken: () => Promise<string>): boolean {
  const wanted = new URLSearchParams(location.search).get("shopify-reload");
  if (wanted === null) return false;
  const target = new URL(wanted, location.href);
  // The app itself wrote the address; anything else is somebody's attempt to be handed a token.
  if (target.origin !== location.origin) return true;
  void idToken().then((token) => {
    target.searchParams.set("id_token", token);
    location.replace(target);
  });
  return true;
}

/** Parameters of the admin's, which are not part of where the merchant is. */
const OF_THE_ADMIN = ["embedded", "shop", "host", "id_token", "locale", "timestamp", "session", "hmac", "appLoadId"];

function path(): string {
  const here = new URL(location.href);
  for (const name of OF_THE_ADMIN) here.searchParams.delete(name);
  return here.pathname + here.search + here.hash;
}

/** `shopify://admin/products` as the admin's own address. */
function adminAddress(wire: Wire, { host }: Config, url: string): string | undefined {
  const rest = /^shopify:\/*admin(\/.*)$/i.exec(url)?.[1];
  const store = atob(host).split("/").at(-1) ?? "";
  return rest === undefined ? undefined : `${wire.adminOrigin}/store/${store}${rest}`;
}

/** The admin's address follows the app's, and links out of the app leave the frame. */
export function followNavigation(wire: Wire, config: Config): void {
  const tell = () => wire.send({ type: "location", path: path() });
  for (const name of ["pushState", "replaceState"] as const) {
    const unpatched = history[name].bind(history);
    history[name] = (...parameters) => {
      unpatched(...parameters);
      tell();
    };
  }
  addEventListener("popstate", tell);
  addEventListener("DOMContentLoaded", tell);
  wire.on("navigate", ({ path: wanted }) => navigate(wanted));

  const open = window.open.bind(window);
  window.open = (url = "", target, features) => {
    const outside = adminAddress(wire, config, String(url));
    const leaves = target === "_top" || target === "_parent";
    if (outside === undefined && !leaves) return open(url, target, features);
    wire.send({ type: "open", url: outside ?? new URL(url, location.href).href });
    return null;
  };
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const href = link?.getAttribute("href") ?? "";
    const outside = adminAddress(wire, config, href);
    if (link === null || event.defaultPrevented || (outside === undefined && link.target !== "_top")) return;
    event.preventDefault();
    wire.send({ type: "open", url: outside ?? link.href });
  });
}

/** The app goes there itself if it listens to `shopify:navigate`, without a new page. */
export function navigate(href: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.hidden = true;
  document.body.append(link);
  link.dispatchEvent(new CustomEvent("shopify:navigate", { bubbles: true }));
  link.remove();
}
