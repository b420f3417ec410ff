import { describe, elementOf, keyOf } from "./element-keys.ts";
import { navigate } from "./navigation.ts";
import type { Channel } from "./channel.ts";

/** Sends the links of `ui-nav-menu` and `s-app-nav`. The home link is hidden, as the app's name links there. */
function sendMenu(channel: Channel): void {
  const menu = document.querySelector("ui-nav-menu, s-app-nav");
  const links = [...(menu?.querySelectorAll<HTMLElement>("a, s-link") ?? [])].map((link) => ({
    key: keyOf(link),
    href: link.getAttribute("href") ?? "/",
    label: link.textContent.trim(),
    home: link.getAttribute("rel") === "home",
  }));
  channel.sendChange({ type: "menu", links });
}

function sendTitle(channel: Channel): void {
  const bar = [...document.querySelectorAll<HTMLElement>("ui-title-bar")].find(
    (one) => one.closest("ui-modal") === null,
  );
  const controls = [...(bar?.querySelectorAll<HTMLElement>("button, a") ?? [])];
  const breadcrumb = controls.find((control) => control.getAttribute("variant") === "breadcrumb");
  channel.sendChange({
    type: "title",
    title: bar?.getAttribute("title") ?? document.title,
    breadcrumb: breadcrumb === undefined ? undefined : describe(breadcrumb),
    actions: controls.filter((control) => control !== breadcrumb).map(describe),
  });
}

/** Keeps the admin's menu and title bar in sync with the app's elements, which the app's own page hides. */
export function watchAdminElements(channel: Channel): void {
  const style = document.createElement("style");
  style.textContent = "ui-nav-menu, s-app-nav, ui-title-bar, ui-save-bar { display: none !important; }";
  document.head.append(style);

  let waiting = false;
  const send = () => {
    waiting = false;
    sendMenu(channel);
    sendTitle(channel);
  };
  const watch = new MutationObserver(() => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(send);
  });
  watch.observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });

  channel.on("press", ({ key }) => {
    const element = elementOf(key);
    const href = element?.closest("ui-nav-menu, s-app-nav") ? element.getAttribute("href") : null;
    if (element === undefined) return;
    if (href === null) element.click();
    // The event goes to the link first, where the app's router listens.
    else if (element.isConnected) element.dispatchEvent(new CustomEvent("shopify:navigate", { bubbles: true }));
    else navigate(href);
  });
}
