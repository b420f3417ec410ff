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
/** The most pixels to the nearest neighbour in its line. */
const NEAR = 32;
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
/** The headers of a store's pages are alike, but a header that changes is another one. */
let isFirstSearch = true;

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
  if (given) given.prepend(...(own ? [own] : []));
  else if (!own || !cart || !(yield* placeBeside(cart, own))) {
    // The wishlist's own page needs no link to itself over its cards.
    link = setup("launcher") && !document.querySelector(LIST) ? copyOf("counter") : undefined;
    if (!link) return;
    link.classList.add(FLOATING);
    document.body.append(link);
    return;
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
  /** how many others come before it: nearest to the cart link first, and at each ancestor of it three */
  order: number;
  at: Element;
  /** the width of the row, at whose start the link goes, not beside `at` */
  space?: number;
}

/** Returns the places beside the cart link. */
function placesAround(cart: Element, header: Element): Place[] {
  const places: Place[] = [];
  let at: Element | null = cart;
  for (let order = 0; at && at !== header && order < 3 * LEVELS; order += 3, at = at.parentElement) {
    places.push({ order, at }, { order: order + 1, at, space: boxOf(at.parentElement ?? at).width });
  }
  return places;
}

/**
 * Tries the places beside the cart link, nearest first, and at each of them first without moving other elements. Far from its neighbours
 * only if need be. A place costs the browser one to three layouts, so each is tried in a step of its own.
 */
function* placeBeside(cart: Element, own: HTMLElement): Generator<void, boolean> {
  const page = `${window.Shopify?.theme?.id ?? ""} ${innerWidth} `;
  const known = isFirstSearch ? recall(FOUND) : "";
  isFirstSearch = false;
  header = headerOf(cart);
  if (known === page + NOWHERE) return false;
  const { height, width } = boxOf(cart);
  own.style.setProperty("--whl-height", `${Math.min(Math.max(height, 32), ICON)}px`);
  own.style.setProperty("--whl-width", `${Math.min(Math.max(width, 32), 44)}px`);
  const neighbours = neighboursOf(header);
  const before = layoutOf(header, cart, neighbours);
  const places = placesAround(cart, header);
  const last = places.find(({ order }) => `${page}${order}` === known);
  let best: { rank: number; place: Place } | undefined;
  for (const place of last ? [last, ...places] : places) {
    // A place far from its neighbours ranks below all near ones.
    if (best && best.rank <= place.order) break;
    const rank = tryOut(place);
    if (rank !== undefined && (rank === place.order || place === last)) return found(place);
    if (rank !== undefined && rank < (best?.rank ?? Infinity)) best = { rank, place };
    own.remove();
    yield;
  }
  if (best) put(best.place);
  return found(best?.place);

  function found(place?: Place): boolean {
    // Before the first press, the embed stores nothing.
    if (wishlistCore.wishlist().owner) remember(FOUND, `${page}${place?.order ?? NOWHERE}`);
    return !!place;
  }

  function give(property: string, value: string): void {
    own.style.setProperty(property, value, "important");
  }

  /** Puts the link into the cart link's line, and out of the cart link's box. @returns its box */
  function put({ at, space }: Place): DOMRect {
    for (const property of ["margin-inline-start", "margin-inline-end", "translate"])
      own.style.removeProperty(property);
    const row = at.parentElement ?? at;
    if (space === undefined) at[setup("header") === "after" ? "after" : "before"](own);
    else {
      row.prepend(own);
      // The link lies outside of the row's box, which keeps its size.
      give("margin-inline-start", `${space - boxOf(row).width}px`);
    }
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

  /** @returns the place's rank, or undefined where the link changes the header or does not fit */
  function tryOut(place: Place): number | undefined {
    const box = put(place);
    const { shape, places, overlaps, inks } = layoutOf(headerOf(cart), cart, neighbours);
    const moves = places !== before.places;
    const isQuiet =
      shape === before.shape &&
      !(moves && place.space !== undefined) &&
      overlaps.every((count, index) => count <= (before.overlaps[index] ?? 0));
    const others = inks.filter(({ one }) => !one.contains(own)).map((ink) => ink.box);
    if (!isQuiet || !isVisible(own, box) || !fits(box, boxOf(cart), others)) return undefined;
    return place.order + (moves ? 2 : 0) + (others.some((c) => overlap(c, box, NEAR)) ? 0 : 3 * LEVELS);
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

/** Tells whether the link's box is in the cart link's line, near to another element, and overlaps none. */
function fits(a: DOMRect, b: DOMRect, others: DOMRect[]): boolean {
  return (
    Math.abs(a.top + a.bottom - b.top - b.bottom) <= 2 &&
    overlap(b, a, FAR) &&
    others.some((c) => overlap(c, a, FAR)) &&
    !others.some((c) => overlap(c, a, c.width > ICON ? GAP : 0))
  );
}
