import { describe, elementOf, keyOf } from "./elements.ts";
import { navigate } from "./navigation.ts";
import type { Wire } from "./wire.ts";

/** `ui-nav-menu` and `s-app-nav` name the app's pages; the home link is not shown, as the app's own name leads there. */
function sendMenu(wire: Wire): void {
  const menu = document.querySelector("ui-nav-menu, s-app-nav");
  const links = [...(menu?.querySelectorAll<HTMLElement>("a, s-link") ?? [])].map((link) => ({
    key: keyOf(link),
    href: link.getAttribute("href") ?? "/",
    label: link.textContent.trim(),
    home: link.getAttribute("rel") === "home",
  }));
  wire.tell({ type: "menu", links });
}

function sendTitle(wire: Wire): void {
  const bar = [...document.querySelectorAll<HTMLElement>("ui-title-bar")].find(
    (one) => one.closest("ui-modal") === null,
  );
  const controls = [...(bar?.querySelectorAll<HTMLElement>("button, a") ?? [])];
  const breadcrumb = controls.find((control) => control.getAttribute("variant") === "breadcrumb");
  wire.tell({
    type: "title",
    title: bar?.getAttribute("title") ?? document.title,
    breadcrumb: breadcrumb === undefined ? undefined : describe(breadcrumb),
    actions: controls.filter((control) => control !== breadcrumb).map(describe),
  });
}

/** Keeps the admin's menu and title bar like the app's elements, which are not shown in the app's own page. */
export function watchChrome(wire: Wire): void {
  const style = document.createElement("style");
  style.textContent = "ui-nav-menu, s-app-nav, ui-title-bar, ui-save-bar { display: none !important; }";
  document.head.append(style);

  let waiting = false;
  const send = () => {
    waiting = false;
    sendMenu(wire);
    sendTitle(wire);
  };
  const watch = new MutationObserver(() => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(send);
  });
  watch.observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });

  wire.on("press", ({ key }) => {
    const element = elementOf(key);
    const href = element?.closest("ui-nav-menu, s-app-nav") ? element.getAttribute("href") : null;
    if (element === undefined) return;
    if (href === null) element.click();
    // The link itself is asked first: the app's own router listens there.
    else if (element.isConnected) element.dispatchEvent(new CustomEvent("shopify:navigate", { bubbles: true }));
    else navigate(href);
  });
}
