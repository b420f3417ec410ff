import { recall, remember } from "../../shared/session.ts";
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
/** The key of the place that was found last, for the following pages: theme, width, and the place's name. */
const FOUND = "wishlist:header";
/** The name of the place outside of the header. */
const NOWHERE = "none";
/** How many ancestors of the cart link are tried as neighbours. */
const LEVELS = 4;
/** Pixels between the link and neighbours that are no icons, such as a name or a picture. */
const GAP = 4;
const ICON = 60;
/** Pixels between a floating link and the window's end, as in wishlist.css, or a bar. */
const DISTANCE = 16;
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
 * Puts the wishlist's link into the header, or lets it float. A well placed link stays. Between two steps the page is as it was.
 * @param again called when the theme's selector for the cart link is loaded
 */
export function* placeHeaderLink(again: () => void): Generator<void, void> {
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
    link?.isConnected && (given ? given.contains(link) : isFloating(link) ? !cart : cart && isWellPlaced(link, cart));
  // A header that is rendered again from its own HTML holds a copy.
  for (const one of every(".whl-counter")) if (!isRight || one !== link) one.remove();
  if (isRight) return;
  cartLink = cart;
  link = undefined;
  const own = copyOf("counter");
  if (!own) return;
  // Painted before it is added: a theme's rules with `:has()` make each later change a restyle of the whole page.
  wishlistCore.track(own);
  wishlistCore.paint([]);
  if (given) given.prepend(own);
  else if (!cart || !(yield* placeBeside(cart, own))) {
    // The wishlist's own page needs no link to itself over its cards.
    if (!setup("launcher") || document.querySelector(LIST)) return;
    own.classList.add(FLOATING);
    document.body.append(own);
  }
  link = own;
}

/**
 * Gives the link the cart link's colour, which may depend on the header's background. Moves a floating link above bars and chats that the
 * theme or another app keeps at the window's end. Runs while the page scrolls, so it changes nothing before it has read what it needs.
 */
export function adapt(): void {
  if (!link) return;
  if (!isFloating(link)) {
    if (cartLink) link.style.setProperty("color", getComputedStyle(cartLink).color, "important");
    return;
  }
  const { left, width } = boxOf(link);
  let distance = DISTANCE;
  const at = (): [x: number, y: number] => [left + width / 2, innerHeight - distance - 12];
  // Bars may be stacked.
  for (let turn = 0; turn < 3; turn++) {
    const bar = document.elementsFromPoint(...at()).find(isBar);
    if (!bar) break;
    distance = Math.round(innerHeight - boxOf(bar).top + DISTANCE);
  }
  link.style.setProperty("bottom", distance === DISTANCE ? "" : `${distance}px`, "important");
  rise(link, document.elementFromPoint(...at()));
}

/** Puts a floating link over a part of the page's content that covers it, such as a card's button, but over no drawer or dialog. */
function rise(own: HTMLElement, cover: Element | null): void {
  let level = 0;
  for (let one = own.contains(cover) ? null : cover; one; one = one.parentElement) {
    const { position, zIndex } = getComputedStyle(one);
    if (position === "fixed" || position === "sticky" || one.matches("dialog")) return;
    // The outermost level holds the others.
    if (Number(zIndex)) level = Number(zIndex) + 1;
  }
  if (level) own.style.setProperty("z-index", String(level), "important");
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

function isVisible(one: Element, box = boxOf(one)): boolean {
  const { width, left, right, bottom } = box;
  // Closed elements, such as a menu's details, may have boxes.
  return (
    width > 0 &&
    left >= 0 &&
    right <= innerWidth &&
    bottom + scrollY > 0 &&
    one.checkVisibility({ visibilityProperty: true })
  );
}

/** A way to put the link into the header. */
interface Place {
  at: Element;
  /** the width of the row, at whose start the link goes, not beside `at` */
  space?: number;
}

/**
 * Returns the places beside the cart link that the header, as it is, has room for, as each one that is tried costs a restyle of the page:
 * nearest to the cart link first, before those in grids and in elements around the cart link alone. At each ancestor the one that moves nothing is first.
 */
function placesAround(cart: Element, inks: Ink[], room: number): Place[] {
  const box = boxOf(cart);
  const freeBeside = ({ left, right }: DOMRect, isAtRight: boolean): DOMRect | false => {
    const free = new DOMRect(isAtRight ? right : left - room, box.y, room, box.height);
    return free.left >= 0 && free.right <= innerWidth && !inks.some((ink) => overlap(ink.box, free)) && free;
  };
  const places: Place[] = [];
  const wrapped: Place[] = [];
  // A field for text may become narrower.
  if (!inks.some((ink) => ink.one.matches("input") || freeBeside(ink.box, true) || freeBeside(ink.box, false)))
    return places;
  const isRtl = cart.matches(":dir(rtl)");
  let at: Element | null = cart;
  for (let level = 0; at && at !== header && level < LEVELS; level++) {
    const row: Element = at.parentElement ?? at;
    const [first, ...others] = inks.filter(({ one }) => row.contains(one));
    const both: Place[] = [{ at }];
    const start = first && freeBeside(first.box, isRtl);
    if (start && overlap(start, box, FAR)) both.push({ at, space: boxOf(row).width });
    if (!freeBeside(boxOf(at), isRtl !== (setup("header") === "after"))) both.reverse();
    // In a grid, the link would take a cell.
    const isGrid = getComputedStyle(row).display.includes("grid");
    (others.length > 1 && !isGrid ? places : wrapped).push(...both);
    at = at.parentElement;
  }
  return [...places, ...wrapped];
}

/** Tries the places beside the cart link in their order. A place costs the browser one to three layouts, so each is tried in a step of its own. */
function* placeBeside(cart: Element, own: HTMLElement): Generator<void, boolean> {
  const page = `${window.Shopify?.theme?.id ?? ""} ${innerWidth} `;
  // The headers of a store's pages are alike, but a header that changes is another one.
  const known = header ? "" : recall(FOUND);
  header = headerOf(cart);
  if (known === page + NOWHERE) return false;
  const { height, width } = boxOf(cart);
  const room = Math.min(Math.max(width, 32), 44);
  const { cssText } = own.style;
  const neighbours = neighboursOf(header);
  const before = layoutOf(header, cart, neighbours);
  const places = placesAround(cart, before.inks, room);
  const last = places.find((_, index) => `${page}${index}` === known);
  for (const place of last ? [last, ...places] : places) {
    put(place);
    if (isFitting(place)) return found(place);
    own.remove();
    own.style.cssText = cssText;
    yield;
  }
  return found();

  function found(place?: Place): boolean {
    // Before the first press, the embed stores nothing.
    if (wishlistCore.wishlist().owner) remember(FOUND, `${page}${place ? places.indexOf(place) : NOWHERE}`);
    return !!place;
  }

  function give(property: string, value: string): void {
    own.style.setProperty(property, value, "important");
  }

  function put({ at, space }: Place): void {
    own.style.cssText = `${cssText};--whl-height:${Math.min(Math.max(height, 32), ICON)}px;--whl-width:${room}px`;
    if (space === undefined) at[setup("header") === "after" ? "after" : "before"](own);
    else at.parentElement?.prepend(own);
  }

  /** Moves the link into the cart link's line, and out of the cart link's box. @returns its box */
  function adjust({ at, space }: Place): DOMRect {
    // The link lies outside of the row's box, which keeps its size.
    if (space !== undefined) give("margin-inline-start", `${space - boxOf(at.parentElement ?? at).width}px`);
    let [a, b] = [boxOf(own), boxOf(cart)];
    const shared = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    if (shared > 0) {
      give("margin-inline-end", `${shared}px`);
      [a, b] = [boxOf(own), boxOf(cart)];
    }
    const off = (b.top + b.bottom - a.top - a.bottom) / 2;
    give("translate", `0 ${off}px`);
    // It moves nothing else, so the browser needs no further layout to tell.
    return new DOMRect(a.x, a.y + off, a.width, a.height);
  }

  /** Tells whether the link fits and changes nothing else in the header. */
  function isFitting(place: Place): boolean {
    const box = adjust(place);
    const { shape, places: moved, overlaps, inks } = layoutOf(headerOf(cart), cart, neighbours);
    const others = inks.filter(({ one }) => !one.contains(own)).map((ink) => ink.box);
    return (
      shape === before.shape &&
      (place.space === undefined || moved === before.places) &&
      overlaps.every((count, index) => count <= (before.overlaps[index] ?? 0)) &&
      isVisible(own, box) &&
      fits(box, boxOf(cart), others)
    );
  }
}

/** Returns the visible elements that the link must not lie on. */
function neighboursOf(header: Element): Element[] {
  return [...header.querySelectorAll(NEIGHBOURS)].filter(
    // A heading is as wide as its row; the store's name in it is a link or picture on other pages.
    (one) => !one.closest("[class*=whl-]") && !(one.matches("h1") && one.querySelector(NEIGHBOURS)) && isVisible(one),
  );
}

interface Ink {
  one: Element;
  box: DOMRect;
}

/**
 * Returns what must not change in a header: its height and the size of each line of text and each element (`shape`), their places if
 * possible (`places`), and how many others each overlaps (`overlaps`).
 */
function layoutOf(
  header: Element,
  cart: Element,
  neighbours: Element[],
): { shape: string; places: string; overlaps: number[]; inks: Ink[] } {
  const inks = neighbours.flatMap((one) => inksOf(one).map((box) => ({ one, box })));
  const rows: DOMRect[] = [];
  for (let row: Element | null = cart; row && row !== header; row = row.parentElement) rows.push(boxOf(row));
  const sizes = inks.map(({ one, box }) => [one.matches("input") ? Math.min(box.width, FIELD) : box.width, box.height]);
  return {
    inks,
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

/** Tells whether a link that is in the page is still visible and in the cart link's line, and overlaps nothing. */
function isWellPlaced(own: Element, cart: Element): boolean {
  const others = neighboursOf(headerOf(own)).filter((one) => !one.contains(own));
  return isVisible(own) && isVisible(cart) && fits(boxOf(own), boxOf(cart), others.flatMap(inksOf));
}

/** Tells whether the link's box is in the cart link's line, near to the cart link, and overlaps no other element. */
function fits(a: DOMRect, b: DOMRect, others: DOMRect[]): boolean {
  return (
    Math.abs(a.top + a.bottom - b.top - b.bottom) <= 2 &&
    overlap(b, a, FAR) &&
    !others.some((c) => overlap(c, a, c.width > ICON ? GAP : 0))
  );
}
