import { create } from "../shared/create.ts";
import { show } from "../shared/message.ts";

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
