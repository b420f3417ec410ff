import { create } from "../shared/create.ts";
import { show } from "../shared/message.ts";
import { setup } from "./setup.ts";

let region: HTMLElement | undefined;

/** Adds the live region before there is a message: not every screen reader announces the content of a new one. */
export function openRegion(): void {
  region = create("div", { className: "whl-message", role: "status" });
  document.body.append(region);
}

/** Shows a message. @param href,label of a link to go on with */
export function say(message: string, href = "", label = ""): void {
  if (!region || !message) return;
  show(region, message, href ? create("a", { href, textContent: label }) : undefined);
}

/** Adds a button to the message that is shown. */
export function offer(textContent: string, onclick: () => void): void {
  if (region?.firstChild) region.append(" ", create("button", { textContent, onclick }));
}

/** Shows why the service refused a request: the text for the HTTP status, or the one for all others. */
export function sayRefused(status = 0, seconds = ""): void {
  const message = (setup(`on-${status}`) || setup("failed")).replace("[seconds]", seconds);
  // The login of Shopify's customer accounts has a query that names the page to return to.
  const login = setup("login");
  const back = login.includes("?") ? "" : `?return_url=${encodeURIComponent(location.pathname + location.search)}`;
  say(message, status === 403 ? login + back : "", setup("loginLabel"));
}
