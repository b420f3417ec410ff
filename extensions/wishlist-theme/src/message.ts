import { setup } from "./page.ts";

/** Milliseconds for which a message stays. */
const STAYS = 6000;
let region: HTMLElement | undefined;
let clearing: ReturnType<typeof setTimeout> | undefined;

/** Adds the live region to the page before there is a message: what comes into a new one is not announced everywhere. */
export function openRegion(): void {
  region = Object.assign(document.createElement("div"), { className: "whl-message", role: "status" });
  document.body.append(region);
}

/** Shows a message without taking the focus. @param link where to go on, and its text */
export function say(message: string, href = "", label = ""): void {
  if (!region || !message) return;
  clearTimeout(clearing);
  region.textContent = message;
  if (href) region.append(" ", Object.assign(document.createElement("a"), { href, textContent: label }));
  clearing = setTimeout(clear, STAYS);
}

/** A link that has the focus stays. */
function clear(): void {
  if (region?.matches(":focus-within,:hover")) clearing = setTimeout(clear, STAYS);
  else region?.replaceChildren();
}

/** Says why the service refused: the text for the HTTP status, or the one for all others. */
export function sayRefused(status = 0, seconds = ""): void {
  const message = (setup(`on-${status}`) || setup("failed")).replace("[seconds]", seconds);
  if (status !== 403) {
    say(message);
    return;
  }
  // Shopify's login for customer accounts names the page to return to by itself.
  const login = setup("login");
  const back = login.includes("?") ? "" : `?return_url=${encodeURIComponent(location.pathname + location.search)}`;
  say(message, login + back, setup("loginLabel"));
}
