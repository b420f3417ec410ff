import type { ThemeVisit } from "./visit.ts";

/** Returns the problems of the wishlist link in the theme's header. */
export function headerMistakes({ page }: ThemeVisit): Promise<string[]> {
  return page.evaluate(() => {
    scrollTo(0, 0);
    const isShown = (one: Element): boolean =>
      one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 0;
    const overlap = (one: DOMRect, other: DOMRect): boolean =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
    const hitAt = ({ left, right, top, bottom }: DOMRect): Element | null =>
      document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const [link, ...more] = [...document.querySelectorAll<HTMLElement>(".whl-counter")].filter(isShown);
    const cart = [...document.querySelectorAll("[data-t-cart]")].find(isShown)?.getBoundingClientRect();
    if (!link || !cart || more.length > 0) return [`${link ? more.length + 1 : 0} links to the wishlist`];
    const found: string[] = [];
    const box = link.getBoundingClientRect();
    const gap = Math.max(box.left - cart.right, cart.left - box.right);
    if (!link.closest("[data-t-header]")) found.push("not in the header");
    // At the start of the icons, where it moves fewer of them.
    if (gap > 150) found.push(`${Math.round(gap)} px from the cart`);
    if (Math.abs(box.top + box.bottom - cart.top - cart.bottom) > 16) found.push("not in line with the cart");
    if (Math.min(box.width, box.height) < 43.5 || Math.max(box.width, box.height) > 60)
      found.push(`${box.width} × ${box.height} px`);
    if (box.left < 0 || box.right > innerWidth) found.push("partly outside of the window");
    for (const one of document.querySelectorAll("[data-t-header] :is(a, button)")) {
      if (one === link || !isShown(one)) continue;
      if (overlap(one.getBoundingClientRect(), box)) found.push(`covers ${window.probe.name(one)}`);
      const hit = hitAt(one.getBoundingClientRect());
      if (!hit || !(one.contains(hit) || hit.contains(one))) {
        found.push(`${window.probe.name(hit)} is over ${window.probe.name(one)}`);
      }
    }
    if (!link.contains(hitAt(box))) found.push(`${window.probe.name(hitAt(box))} is over it`);
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
    return found;
  });
}

/** Returns the theme's overlays that a heart covers by mistake. */
export function overlays({ page }: ThemeVisit): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const [first] = window.probe.hearts();
    const heart = first?.hearts[0];
    const menu = document.querySelector<HTMLElement>("[data-t-menu]");
    const header = document.querySelector<HTMLElement>("[data-t-header]");
    if (!heart || !menu || !header) return ["no heart, no menu or no header"];
    first.card.scrollIntoView({ inline: "nearest", behavior: "instant" });
    const test = (cover: Element, y: number): void => {
      scrollBy({ top: heart.getBoundingClientRect().top + heart.offsetHeight / 2 - y, behavior: "instant" });
      const { left, top, width, height } = heart.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      if (!hit || !cover.contains(hit)) {
        found.push(`${window.probe.name(hit)} at ${Math.round(top)} px lies over ${window.probe.name(cover)}`);
      }
    };
    test(header, header.offsetHeight / 2);
    menu.hidden = false;
    test(menu, 250);
    menu.hidden = true;
    // The lowest possible layer: one above the theme's header.
    const modal = document.createElement("div");
    modal.style.cssText = "position: fixed; inset: 0; z-index: calc(var(--layer) + 1); background: #0008";
    document.body.append(modal);
    test(modal, 400);
    modal.remove();
    scrollTo(0, 0);
    return found;
  });
}
