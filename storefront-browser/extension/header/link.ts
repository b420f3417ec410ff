import type { Changes } from "../changes.ts";
import { boxOf, copyOf, every } from "../dom.ts";

const { setup } = wishlistCore;

/** Links that lead to the cart, and buttons that open it. */
const CART = 'a[href$="/cart"],a[href*="/cart?"],a[href^="#"][href*="cart" i],[aria-controls*="cart" i]';
const ELSEWHERE = "main,footer,form,dialog,[role=dialog],[class*=whl-]";
const LIST = "[data-wishlist-page],[data-wishlist-root]";
const FLOATING = "whl-counter--floating";
/** Visible elements of a header; `shopify-account` is Shopify's own element for a customer who is logged in. */
const NEIGHBOURS = "a,button,summary,input,img,svg,h1,shopify-account";
/** How many ancestors of the cart link are tried as neighbours. */
const LEVELS = 4;
/** Pixels between the link and neighbours that are no icons, such as a name or a picture. */
const GAP = 4;
/** The most pixels to the nearest neighbour in its line. */
const NEAR = 32;
const ICON = 60;
/** The most pixels between the link and the cart link. */
const FAR = 150;

/** Pixels that a field for text keeps of its width. */
const FIELD = 200;

/** The header link. The theme may have removed it from the page. Undefined where there is no place for it. */
let link: HTMLElement | undefined;
/** The cart link beside it. */
let cartLink: Element | undefined;
/** The selector for the theme's cart link. Where `CART` finds none, the theme's preset is loaded; undefined until then. */
let cartSelector: string | undefined;
/** The header in which a place was looked for. */
let header: Element | undefined;

/** Tells whether changes of the page may affect the link's place. */
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
 * Puts the wishlist's link into the header, or lets it float. A well placed link stays.
 * @param again called when the theme's selector for the cart link is loaded
 */
export function placeHeaderLink(again: () => void): void {
  // `:is()` tolerates an invalid selector.
  const given = setup("headerSelector") && document.querySelector(`:is(${setup("headerSelector")})`);
  const isSought = setup("header") !== "floating" && !given;
  const cart = isSought ? every(cartSelector ?? CART).find(isCart) : undefined;
  if (isSought && !cart && cartSelector === undefined) {
    cartSelector = CART;
    // There may be a preset for the theme's name.
    void wishlistCore.preset("cart").then((selector) => {
      cartSelector = selector || CART;
      again();
    });
    return;
  }
  const isRight =
    link?.isConnected && (given ? given.contains(link) : isFloating(link) ? !cart : isWellPlaced(link, cart));
  // A header that is rendered again from its own HTML holds a copy.
  for (const one of every(".whl-counter")) if (!isRight || one !== link) one.remove();
  if (isRight) return;
  link = copyOf("counter");
  cartLink = cart;
  if (!link) return;
  if (given) given.prepend(link);
  else if (!cart || !placeBeside(cart, link)) {
    // The wishlist's own page needs no link to itself over its cards.
    link = setup("launcher") && !document.querySelector(LIST) ? copyOf("counter") : undefined;
    if (!link) return;
    link.classList.add(FLOATING);
    document.body.append(link);
  }
}

/**
 * Gives the link the cart link's colour, which may depend on the header's background. Moves a floating link above bars and chats that the
 * theme or another app keeps at the window's end.
 */
export function adapt(): void {
  if (!link) return;
  if (!isFloating(link)) {
    if (cartLink) link.style.setProperty("color", getComputedStyle(cartLink).color, "important");
    return;
  }
  link.style.removeProperty("bottom");
  // Bars may be stacked.
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

/** Tells whether an element is a visible cart link at the top of the page. */
function isCart(one: Element): boolean {
  return !one.closest(ELSEWHERE) && isVisible(one);
}

function isVisible(one: Element): boolean {
  const { width, left, right, bottom } = boxOf(one);
  // Closed elements, such as a menu's details, may have boxes.
  return (
    width > 0 &&
    left >= 0 &&
    right <= innerWidth &&
    bottom + scrollY > 0 &&
    one.checkVisibility({ visibilityProperty: true })
  );
}

/** Tries the places beside the cart link, nearest first, and at each of them first without moving other elements. */
function placeBeside(cart: Element, own: HTMLElement): boolean {
  header = headerOf(cart);
  const { height, width } = boxOf(cart);
  own.style.setProperty("--whl-height", `${Math.min(Math.max(height, 32), ICON)}px`);
  own.style.setProperty("--whl-width", `${Math.min(Math.max(width, 32), 44)}px`);
  const before = layoutOf(header, cart);
  // Far from its neighbours only if need be.
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

/** Moves the link into the cart link's line, and out of the cart link's box. */
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
 * Returns what must not change in a header: its height and the size of each line of text and each element (`shape`), their places if
 * possible (`places`), and how many others each overlaps (`overlaps`).
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

/** Returns the boxes of an element's visible content: of text its lines, as the element may be wider. */
function inksOf(one: Element): DOMRect[] {
  if (one.querySelector("img,svg") || !one.textContent.trim()) return [boxOf(one)];
  const range = document.createRange();
  range.selectNodeContents(one);
  return [...range.getClientRects()];
}

/** Tells whether the link is visible and in the cart link's line, and overlaps nothing. */
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
