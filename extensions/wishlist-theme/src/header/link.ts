import type { Changes } from "../changes.ts";
import { boxOf, copyOf, every, setup } from "../page.ts";

/** Links that lead to the cart, and buttons that open it: known by what they lead to. */
const CART = 'a[href$="/cart"],a[href*="/cart?"],a[href^="#"][href*="cart" i],[aria-controls*="cart" i]';
/** With the theme's own name for it, where none was found: undefined until that was asked for. */
let cartSelector: string | undefined;
const ELSEWHERE = "main,footer,form,dialog,[role=dialog],[class*=whl-]";
const NEIGHBOURS = "a,button,summary,input,img,svg,h1,[role=button]";
/** Ancestors of the cart link beside which a place is looked for. */
const LEVELS = 4;
/** Pixels between the link and what is no icon: a name, a picture. */
const GAP = 8;
const ICON = 60;
/** Pixels by which the link may be out of the cart link's line before it is brought into it. */
const LINE = 24;
/** Pixels between the link and the cart's, at most. */
const FAR = 150;

let link: HTMLElement | undefined;
let isSettled = false;

/** Whether changes of the page may have to do with the link's place. */
export function concernsHeader(changes: Changes): boolean {
  if (isSettled && !link?.isConnected) return true;
  const header = link && headerOf(link);
  return changes.some(
    ({ target, addedNodes }) =>
      header?.contains(target) === true ||
      [...addedNodes].some((node) => node instanceof Element && (node.matches(CART) || node.querySelector(CART))),
  );
}

/** Puts the wishlist's link into the header, or lets it float. A link in its place stays there. */
export function placeHeaderLink(): void {
  // `:is()` forgives what a merchant mistypes.
  const given = setup("headerSelector") && document.querySelector(`:is(${setup("headerSelector")})`);
  if (given) {
    link ??= copyOf("counter");
    if (link && !given.contains(link)) given.prepend(link);
    isSettled = true;
    return;
  }
  const cart = findCart();
  // A header that is drawn anew from its own HTML brings a copy along.
  for (const copy of every(".whl-counter")) if (copy !== link) copy.remove();
  if (link?.isConnected && (cart ? !isFloating(link) && isWellPlaced(link, cart) : isFloating(link))) return;
  link ??= copyOf("counter");
  if (!link) return;
  link.remove();
  link.classList.remove("whl-counter--floating");
  isSettled = cart !== undefined && placeBeside(cart, link);
  if (isSettled || !setup("launcher")) return;
  link.classList.add("whl-counter--floating");
  document.body.append(link);
  keepClear(link);
  isSettled = true;
}

/** Moves the floating link up from a bar that the theme keeps at the window's end. */
function keepClear(own: HTMLElement): void {
  own.style.removeProperty("bottom");
  const { left, top, width, height } = boxOf(own);
  for (const one of document.elementsFromPoint(left + width / 2, top + height / 2)) {
    const isBar =
      !own.contains(one) && getComputedStyle(one).position === "fixed" && boxOf(one).height < innerHeight / 2;
    if (isBar) own.style.setProperty("bottom", `${innerHeight - boxOf(one).top + 16}px`, "important");
  }
}

function headerOf(one: Element): Element {
  return one.closest("header,[role=banner],[class*=group-header-group]") ?? one.parentElement ?? one;
}

function isFloating(one: Element): boolean {
  return one.matches(".whl-counter--floating");
}

function findCart(): HTMLElement | undefined {
  return setup("header") === "floating" ? undefined : every(cartSelector ?? CART).find(isCart);
}

/** Where no cart was found, the theme may be known by its name. @returns undefined where there is nothing to ask */
export function usePreset(): Promise<void> | undefined {
  if (cartSelector !== undefined || setup("header") === "floating" || setup("headerSelector") || findCart()) return;
  cartSelector = CART;
  return wishlistCore.preset("cart").then((selector) => {
    cartSelector = selector || CART;
  });
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
  const header = headerOf(cart);
  const { height, width } = boxOf(cart);
  const tall = Math.min(Math.max(height, 32), ICON);
  own.style.setProperty("--whl-height", `${tall}px`);
  // A header of text lines does not grow by it.
  own.style.setProperty("margin-block", `${Math.min(0, (height - tall) / 2)}px`, "important");
  own.style.setProperty("--whl-width", `${width > ICON ? 44 : Math.max(width, 32)}px`);
  const before = layoutOf(header, cart);
  let item: Element | null = cart;
  for (let level = 0; item && item !== header && level < LEVELS; level++, item = item.parentElement) {
    const at: Element = item;
    const beside = (): void => (setup("header") === "after" ? at.after(own) : at.before(own));
    // At the start of its row the link lies outside of the row's box, which keeps its size.
    const first = (): void => {
      const row = at.parentElement;
      if (!row) return;
      const { width: space } = boxOf(row);
      row.prepend(own);
      own.style.setProperty("margin-inline-start", `${space - boxOf(row).width}px`, "important");
    };
    for (const [put, mayMove] of [[beside], [first], [beside, true]] as const) {
      own.style.removeProperty("margin-inline-start");
      put();
      align(own, cart);
      const after = layoutOf(header, cart);
      const isQuiet =
        after.sizes === before.sizes &&
        after.overlaps === before.overlaps &&
        (mayMove === true || after.places === before.places);
      if (isQuiet && isWellPlaced(own, cart)) return true;
      own.remove();
    }
  }
  return false;
}

/** Brings the link into the cart link's line, whatever lines are made of there. */
function align(own: HTMLElement, cart: Element): void {
  own.style.setProperty("translate", "none", "important");
  const [a, b] = [boxOf(own), boxOf(cart)];
  const off = (b.top + b.bottom - a.top - a.bottom) / 2;
  if (Math.abs(off) < LINE) own.style.setProperty("translate", `0 ${off}px`, "important");
}

function neighboursOf(header: Element): Element[] {
  return [...header.querySelectorAll(NEIGHBOURS)].filter((one) => !one.closest("[class*=whl-]") && isVisible(one));
}

/** What must not change in a header: its own size, and that of each line of text and each thing in it. Their places only if need be. */
function layoutOf(header: Element, cart: Element): { sizes: string; places: string; overlaps: string } {
  const all = neighboursOf(header);
  const boxes = all.map(inksOf);
  const flat = boxes.flat();
  const rows = [...header.querySelectorAll("*")].filter((one) => one.contains(cart) && one !== cart).map(boxOf);
  const pairs = flat.map((one, index) => flat.slice(index + 1).filter((other) => overlap(one, other)).length);
  return {
    sizes: [{ width: document.documentElement.scrollWidth, height: 0 }, boxOf(header), ...flat]
      .map(({ width, height }) => [Math.round(width), Math.round(height)])
      .join(),
    places: [...rows, ...flat].map(({ x, y }) => [x, y]).join(),
    overlaps: pairs.join(),
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
function isWellPlaced(own: Element, cart: Element): boolean {
  if (!isVisible(own) || !isVisible(cart)) return false;
  const [a, b] = [boxOf(own), boxOf(cart)];
  if (Math.abs(a.top + a.bottom - b.top - b.bottom) > 2) return false;
  if (Math.max(a.left, b.left) - Math.min(a.right, b.right) > FAR) return false;
  return neighboursOf(headerOf(own)).every(
    (one) => one.contains(own) || !inksOf(one).some((c) => overlap(c, a, c.width > ICON ? GAP : 0)),
  );
}
