import type { Customer } from "../identity.server.ts";
import { canShare, openLink } from "../sharing.server.ts";
import { text } from "./liquid.ts";
import { word } from "./words.ts";

/** Makes and shows the link to the list. Hidden until the script is there, without which it could do nothing. */
export async function shareBox(who: Customer): Promise<string> {
  if (!canShare(who)) return "";
  const url = await openLink(who);
  const path = url === undefined ? "" : new URL(url).pathname;
  return (
    `<div class="wl-share" data-wishlist-share data-path="${text(path)}" hidden>` +
    `<button type="button" class="wl-button button button--secondary" data-share="start">${word("share")}</button>` +
    `<div class="wl-open" data-share-open hidden><input class="wl-field" type="text" readonly aria-label="${word("link")}" data-share-link>` +
    `<button type="button" class="wl-button button" data-share="send" hidden>${word("send")}</button>` +
    `<button type="button" class="wl-button button button--secondary" data-share="copy">${word("copy")}</button>` +
    `<button type="button" class="wl-link" data-share="stop">${word("stop")}</button><p class="wl-hint">${word("share_hint")}</p></div></div>`
  );
}
