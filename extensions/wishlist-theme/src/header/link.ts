import type { Changes } from "../changes.ts";
import { boxOf, copyOf, every } from "../page.ts";

const { setup } = wishlistCore;

/** Links that lead to the cart, and buttons that open it: known by what they lead to. */
const CART = 'a[href$="/cart"],a[href*="/cart?"],a[href^="#"][href*="cart" i],[aria-controls*="cart" i]';
const ELSEWHERE = "main,footer,form,dialog,[role=dialog],[class*=whl-]";
const LIST = "[data-wishlist-page],[data-wishlist-root]";
const FLOATING = "whl-counter--floating";
/** What can be seen in a header; Shopify draws the account of a customer who is logged in by an element of its own. */
const NEIGHBOURS = "a,button,summary,input,img,svg,h1,shopify-account";
/** Ancestors of the cart link beside which a place is looked for. */
const LEVELS = 4;
/** Pixels between the link and what is no icon: a name, a picture. */
const GAP = 4;
/** Pixels to the nearest thing in its line, at most: it belongs to something. */
const NEAR = 32;
const ICON = 60;
/** Pixels between the link and the cart's, at most. */
const FAR = 150;

/** Pixels that a field for text keeps of its width. */
const FIELD = 200;

/** In the page, or taken out of it by the theme; undefined where there is no place for it. */
let link: HTMLElement | undefined;
/** The cart link that it stands beside. */
let cartLink: Element | undefined;
/** With the theme's own name for its cart link, where none was found: undefined until that was asked for. */
let cartSelector: string | undefined;
/** Where a place was looked for. */
let header: Element | undefined;

/** Whether changes of the page may have to do with the link's place. */
export function concernsHeader(changes: Changes): boolean {
  return (
    link?.isConnected === false ||
    changes.some(
      ({ target, addedNodes }) =>
        header?.contains(target) === true ||
        [...addedNodes].some((node) => node instanceof Element && (node.matches(CART) || node.querySelector(CART))),
    )
  );
}

/**
 * Puts the wishlist's link into the header, or lets it float. A link in its place stays there.
 * @param again called when more is known of where the cart link may be
 */
export function placeHeaderLink(again: () => void): void {
  // `:is()` forgives what a merchant mistypes.
  const given = setup("headerSelector") && document.querySelector(`:is(${setup("headerSelector")})`);
  const isSought = setup("header") !== "floating" && !given;
  const cart = isSought ? every(cartSelector ?? CART).find(isCart) : undefined;
  if (isSought && !cart && cartSelector === undefined) {
    cartSelector = CART;
    // The theme may be known by its name.
    void wishlistCore.preset("cart").then((selector) => {
      cartSelector = selector || CART;
      again();
    });
    return;
  }
  const isRight =
    link?.isConnected && (given ? given.contains(link) : isFloating(link) ? !cart : isWellPlaced(link, cart));
  // A header that is drawn anew from its own HTML brings a copy along.
  for (const one of every(".whl-counter")) if (!isRight || one !== link) one.remove();
  if (isRight) return;
  link = copyOf("counter");
  cartLink = cart;
  if (!link) return;
  if (given) given.prepend(link);
  else if (!cart || !placeBeside(cart, link)) {
    // The list's own page needs no way to it over its cards.
    link = setup("launcher") && !document.querySelector(LIST) ? copyOf("counter") : undefined;
    if (!link) return;
    link.classList.add(FLOATING);
    document.body.append(link);
  }
}

/**
 * Gives the link the cart link's colour, which may follow what the header lies on. Moves a floating one up from what the theme or another
 * app keeps at the window's end, such as a bar or a chat.
 */
export function adapt(): void {
  if (!link) return;
  if (!isFloating(link)) {
    if (cartLink) link.style.setProperty("color", getComputedStyle(cartLink).color, "important");
    return;
  }
  link.style.removeProperty("bottom");
  // One of them may stand on another.
  for (let turn = 0; turn < 3; turn++) {
    const { left, bottom, width } = boxOf(link);
    const bar = document.elementsFromPoint(left + width / 2, bottom - 12).find(isBar);
    if (!bar) return;
    link.style.setProperty("bottom", `${innerHeight - boxOf(bar).top + 16}px`, "important");
  }
}

function isBar(one: Element): boolean {
  const { position, bottom } = getComputedStyle(one);
  const stays = position === "fixed" || (position === "sticky" && bottom !== "auto");
  return stays && one !== link && boxOf(one).height < innerHeight / 2;
}

function headerOf(one: Element): Element {
  return one.closest("header,[role=banner],[class*=group-header-group]") ?? one.parentElement ?? one;
}

function isFloating(one: Element): boolean {
  return one.classList.contains(FLOATING);
}

/** A visible cart link of the page's top. */
function isCart(one: Element): boolean {
  return !one.closest(ELSEWHERE) && isVisible(one);
}

function isVisible(one: Element): boolean {
  const { width, left, right, bottom } = boxOf(one);
  // What is closed, such as a menu's details, may have boxes without being shown.
  return (
    width > 0 &&
    left >= 0 &&
    right <= innerWidth &&
    bottom + scrollY > 0 &&
    one.checkVisibility({ visibilityProperty: true })
  );
}

/** Tries the places beside the cart link, nearest first, at each of them first what moves nothing. */
function placeBeside(cart: Element, own: HTMLElement): boolean {
  header = headerOf(cart);
  const { height, width } = boxOf(cart);
  own.style.setProperty("--whl-height", `${Math.min(Math.max(height, 32), ICON)}px`);
  own.style.setProperty("--whl-width", `${Math.min(Math.max(width, 32), 44)}px`);
  const before = layoutOf(header, cart);
  // Alone in its line only if need be.
  for (const near of [NEAR, FAR]) {
    let item: Element | null = cart;
    for (let level = 0; item && item !== header && level < LEVELS; level++, item = item.parentElement) {
      const at: Element = item;
      const beside = (): void => at[setup("header") === "after" ? "after" : "before"](own);
      // At the start of its row the link lies outside of the row's box, which keeps its size.
      const first = (): void => {
        const row = at.parentElement ?? at;
        const { width: space } = boxOf(row);
        row.prepend(own);
        give("margin-inline-start", `${space - boxOf(row).width}px`);
      };
      for (const [put, mayMove] of [[beside], [first], [beside, true]] as const) {
        for (const property of ["margin-inline-start", "margin-inline-end", "translate"]) give(property, "");
        put();
        align(own, cart);
        const { shape, places, overlaps } = layoutOf(header, cart);
        const isQuiet =
          shape === before.shape &&
          (mayMove ?? places === before.places) &&
          overlaps.every((count, index) => count <= (before.overlaps[index] ?? 0));
        if (isQuiet && isWellPlaced(own, cart, near)) return true;
        own.remove();
      }
    }
  }
  return false;

  function give(property: string, value: string): void {
    own.style.setProperty(property, value, "important");
  }
}

/** Brings the link into the cart link's line, whatever lines are made of there, and out of the cart link's box. */
function align(own: HTMLElement, cart: Element): void {
  const [a, b] = [boxOf(own), boxOf(cart)];
  const off = (b.top + b.bottom - a.top - a.bottom) / 2;
  own.style.setProperty("translate", `0 ${off}px`, "important");
  const shared = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  if (shared > 0) own.style.setProperty("margin-inline-end", `${shared}px`, "important");
}

function neighboursOf(header: Element): Element[] {
  return [...header.querySelectorAll(NEIGHBOURS)].filter((one) => !one.closest("[class*=whl-]") && isVisible(one));
}

/**
 * What must not change in a header: its own height, and the size of each line of text and each thing in it. Their places only if need
 * be; and no more of them may overlap.
 */
function layoutOf(header: Element, cart: Element): { shape: string; places: string; overlaps: number[] } {
  const inks = neighboursOf(header).flatMap((one) => inksOf(one).map((box) => ({ one, box })));
  const rows = [...header.querySelectorAll("*")].filter((one) => one.contains(cart)).map(boxOf);
  const sizes = inks.map(({ one, box }) => [one.matches("input") ? Math.min(box.width, FIELD) : box.width, box.height]);
  return {
    shape: [document.documentElement.scrollWidth, boxOf(header).height, ...sizes.flat()].map(Math.round).join(),
    places: [...rows, ...inks.map(({ box }) => box)].map(({ x, y }) => [x, y]).join(),
    overlaps: inks.map(({ box }) => inks.filter((other) => overlap(box, other.box)).length),
  };
}

function overlap(a: DOMRect, b: DOMRect, gap = 0): boolean {
  return a.right + gap > b.left + 1 && a.left - gap < b.right - 1 && a.bottom > b.top + 1 && a.top < b.bottom - 1;
}

/** The boxes of what is seen of a thing: of a name, its lines of text, for its link may be wider. */
function inksOf(one: Element): DOMRect[] {
  if (one.querySelector("img,svg") || !one.textContent.trim()) return [boxOf(one)];
  const range = document.createRange();
  range.selectNodeContents(one);
  return [...range.getClientRects()];
}

/** Whether the link is visible, in the cart link's line, and neither it nor what it has moved lies on anything. */
function isWellPlaced(own: Element, cart: Element | undefined, near = FAR): boolean {
  if (!cart || !isVisible(own) || !isVisible(cart)) return false;
  const [a, b] = [boxOf(own), boxOf(cart)];
  const others = neighboursOf(headerOf(own))
    .filter((one) => !one.contains(own))
    .flatMap(inksOf);
  return (
    Math.abs(a.top + a.bottom - b.top - b.bottom) <= 2 &&
    overlap(b, a, FAR) &&
    others.some((c) => overlap(c, a, near)) &&
    !others.some((c) => overlap(c, a, c.width > ICON ? GAP : 0))
  );
}
