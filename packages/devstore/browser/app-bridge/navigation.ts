import type { Config } from "./config.ts";
import type { Channel } from "./channel.ts";

/**
 * Reloads the requested page with a fresh session token if this is the bounce page, which receives document requests without
 * a valid one.
 * @returns whether this is the bounce page
 */
export function followReload(idToken: () => Promise<string>): boolean {
  const wanted = new URLSearchParams(location.search).get("shopify-reload");
  if (wanted === null) return false;
  const target = new URL(wanted, location.href);
  // The app wrote the address. Any other origin may be an attempt to obtain a token.
  if (target.origin !== location.origin) return true;
  void idToken().then((token) => {
    target.searchParams.set("id_token", token);
    location.replace(target);
  });
  return true;
}

/** Parameters that the admin adds to the app's address. */
const OF_THE_ADMIN = ["embedded", "shop", "host", "id_token", "locale", "timestamp", "session", "hmac", "appLoadId"];

function path(): string {
  const here = new URL(location.href);
  for (const name of OF_THE_ADMIN) here.searchParams.delete(name);
  return here.pathname + here.search + here.hash;
}

/** Converts `shopify://admin/products` to the admin's address. */
function adminAddress(channel: Channel, { host }: Config, url: string): string | undefined {
  const rest = /^shopify:\/*admin(\/.*)$/i.exec(url)?.[1];
  const store = atob(host).split("/").at(-1) ?? "";
  return rest === undefined ? undefined : `${channel.adminOrigin}/store/${store}${rest}`;
}

/** Reports the app's address to the admin, and opens links to other sites outside the frame. */
export function followNavigation(channel: Channel, config: Config): void {
  const sendLocation = () => channel.send({ type: "location", path: path() });
  for (const name of ["pushState", "replaceState"] as const) {
    const unpatched = history[name].bind(history);
    history[name] = (...parameters) => {
      unpatched(...parameters);
      sendLocation();
    };
  }
  addEventListener("popstate", sendLocation);
  addEventListener("DOMContentLoaded", sendLocation);
  channel.on("navigate", ({ path: wanted }) => navigate(wanted));

  const open = window.open.bind(window);
  window.open = (url = "", target, features) => {
    const outside = adminAddress(channel, config, String(url));
    const leaves = target === "_top" || target === "_parent";
    if (outside === undefined && !leaves) return open(url, target, features);
    channel.send({ type: "open", url: outside ?? new URL(url, location.href).href });
    return null;
  };
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const href = link?.getAttribute("href") ?? "";
    const outside = adminAddress(channel, config, href);
    if (link === null || event.defaultPrevented || (outside === undefined && link.target !== "_top")) return;
    event.preventDefault();
    channel.send({ type: "open", url: outside ?? link.href });
  });
}

/** Navigates by `shopify:navigate`, which the app may handle without loading a page. */
export function navigate(href: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.hidden = true;
  document.body.append(link);
  link.dispatchEvent(new CustomEvent("shopify:navigate", { bubbles: true }));
  link.remove();
}
