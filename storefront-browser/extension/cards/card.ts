import { every } from "../dom.ts";
import { boxOf } from "./boxes.ts";
import { linked, productAt, someLink } from "./product-link.ts";

const { setup } = wishlistCore;

/** A product's card, and the box in it that its heart belongs to. */
export interface Card {
  /** the largest element that is about this product alone */
  scope: Element;
  /** the smallest element that holds the product's link and its picture, and is not within a link */
  element: Element;
  /** the product's picture, or the element shown in its place */
  picture: Element;
  /** without layout: the card is to be looked at again later */
  isHidden?: boolean;
}

/** Pixels of the smallest picture that has room for a heart; smaller ones are icons and thumbnails. */
const SMALLEST_PICTURE = 96;
/** Pixels of the largest swatch. */
export const SWATCH_WIDTH = 110;
const SWATCH_HEIGHT = 64;

/** Places where product links are no cards: navigation, search suggestions, orders and the cart. */
const NEVER =
  'nav,table,:is(header,footer):not(:is(main,article,li) *),[role=navigation],[role=menu],[role=banner],[role=contentinfo],[role=listbox],[role=search],[id^=shopify-section-header],[id^=shopify-section-footer],[class*=-group-header-],[class*=-group-footer-],form:is([action$="/cart"],[action*="/cart?"],[action*="/search"]),predictive-search,[data-wishlist-page],[data-wishlist-root]';
/** Elements that only a line of the cart has: a quantity without a form that adds to the cart. */
const CART_LINE =
  '[name^="updates"],a[href*="/cart/change"],:scope:has(a[href*="variant="]) [type=number]:not(form[action*="/add"] *)';
/** A product with a choice of variants or quantities: the product button belongs there, which saves the chosen variant. */
const FEATURED = ':has(form[action*="/cart/add"]):has(select,[type=radio],[type=number])';
/** Links that lead to no product. */
const OTHER = "[href*='/blogs/'],[href*='/collections/'],[href*='/pages/']";
/** Elements at which the search for a card ends. */
const SECTION = 'body,main,[id^="shopify-section"],[role=dialog],dialog';

/**
 * Returns the card of a product link, found by the content of the page's elements and not by their names; undefined where a heart does not
 * belong. The merchant's selector overrides this; the theme's preset is used where nothing is found.
 */
export function cardOf(link: HTMLAnchorElement, handle: string): Card | undefined {
  const [exclude, chosen] = [setup("exclude"), setup("cards")];
  // `:is()` tolerates an invalid selector.
  never ??= `:is(${[NEVER, exclude, ...openedByHeader()].filter(Boolean).join()})`;
  if (link.closest(never) || isSwatch(link, handle)) return;
  return (chosen ? undefined : findCard(link, handle)) ?? cardBySelector(link, chosen || known);
}

let never: string | undefined;
let known = "";

/** Returns selectors of the menus, searches and carts that the header opens elsewhere in the document. */
function openedByHeader(): string[] {
  return every("header:not(main *) [aria-controls]").map(
    (one) => `#${CSS.escape(one.getAttribute("aria-controls") ?? "")}`,
  );
}

/** Sets the selector for cards that can't be found by their content. */
export function useSelector(selector: string): void {
  known = selector;
}

function cardBySelector(link: Element, selector: string): Card | undefined {
  const scope = selector && link.closest(`:is(${selector})`);
  if (!scope) return;
  const { width, height } = boxOf(scope);
  const element = scope.closest("a")?.parentElement ?? scope;
  return { scope, element, picture: pictureIn(scope) ?? scope, isHidden: !width || !height };
}

function findCard(link: HTMLAnchorElement, handle: string): Card | undefined {
  if (isInProse(link)) return;
  let scope: Element = link;
  let around = link.parentElement;
  for (; around && !around.matches(SECTION) && !isMixed(around, handle); around = around.parentElement) scope = around;
  // A picture in a paragraph or between paragraphs belongs to its text.
  if (!around || scope.matches("p") || (scope.matches("a,figure") && around.querySelector(":scope>p"))) return;
  if (scope.querySelector(CART_LINE)) return;
  const outermost = scope;
  // An element without a box shows its children.
  while (scope !== link && !boxOf(scope).width) scope = [...scope.children].find((one) => one.contains(link)) ?? link;
  const { width, height } = boxOf(scope);
  if (!width || !height) return { scope: outermost, element: outermost, picture: outermost, isHidden: true };

  let isOneOfSeveral = false;
  for (let one = around.firstElementChild; one && !isOneOfSeveral; one = one.nextElementSibling) {
    isOneOfSeveral = one !== outermost && one.tagName === outermost.tagName && isOthersCard(one, handle);
  }
  let element: Element = link;
  let picture = pictureIn(link);
  for (; !picture && element !== scope; picture = pictureIn(element)) element = element.parentElement ?? scope;
  if (element === link) element = link.parentElement ?? scope;
  if (!picture) {
    // A picture drawn by a style looks like no picture. A row of text has no room for a heart.
    if (!isOneOfSeveral || height < SMALLEST_PICTURE || width < SMALLEST_PICTURE) return;
    if (every("img", scope).some((one) => one.checkVisibility())) return;
    // The label of a hotspot on a picture.
    if (getComputedStyle(scope).position === "absolute") return;
    return { scope, element, picture: boxOf(link).height >= SMALLEST_PICTURE ? link : scope };
  }
  // The picture of a story, a collection or a promotion.
  const shown = picture.closest("a");
  if ((shown && !linked(shown) && shown.matches(OTHER)) || !isSoldBy(scope, handle)) return;
  // A single product is a card only with its name or price beside the picture, and if it is neither the page's product nor a product form.
  if (!isOneOfSeveral) {
    const isNamed =
      /\p{Sc}/u.test(scope.textContent) ||
      someLink(scope, (one, other) => other.handle === handle && one.textContent.trim() !== "" && !isInProse(one));
    if (!isNamed || element.querySelector("h1") || scope.matches(FEATURED)) return;
    if (productAt(location.href)?.handle === handle) return;
  }
  return { scope, element, picture };
}

/** Tells whether a card's text holds a price or the product's name: a promotion's does not. */
function isSoldBy(scope: Element, handle: string): boolean {
  const text = scope.textContent.toLowerCase();
  return (
    !text.trim() || /\p{N}(?!\p{N}*%)/u.test(text) || handle.split("-").some((word) => word[1] && text.includes(word))
  );
}

/** Tells whether an element is about one other product. */
function isOthersCard(element: Element, handle: string): boolean {
  let found = linked(element)?.handle ?? "";
  someLink(element, (link, other) => !isInProse(link) && (found ||= other.handle) !== "");
  return found !== "" && found !== handle && !isMixed(element, found);
}

/** Tells whether a link is part of running text. */
function isInProse(link: Element): boolean {
  return [...(link.parentElement?.childNodes ?? [])].some(
    (node) => node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(node.nodeValue ?? ""),
  );
}

/** Tells whether an element is about another product as well. Swatches that link to other colours do not count. */
function isMixed(element: Element, handle: string): boolean {
  return someLink(
    element,
    (link, other) => other.handle !== handle && !isInProse(link) && !isSwatch(link, other.handle),
  );
}

/** Tells whether a link, with the elements around it alone, is as small as a swatch. */
function isSwatch(link: Element, handle: string): boolean {
  let item = link;
  for (
    let around = link.parentElement;
    around && !someLink(around, (_, other) => other.handle !== handle);
    around = around.parentElement
  ) {
    item = around;
    // Nothing that grows becomes smaller.
    if (boxOf(item).height > SWATCH_HEIGHT) return false;
  }
  const { width, height } = boxOf(item);
  return item !== document.body && height > 0 && height <= SWATCH_HEIGHT && width <= SWATCH_WIDTH;
}

/** Returns the first picture in an element that is larger than an icon, or that has not come yet. */
function pictureIn(element: Element): Element | undefined {
  return every("img,picture,video,canvas,svg", element).find((one) => {
    const { width, height } = boxOf(one);
    return (
      (width >= SMALLEST_PICTURE && height >= SMALLEST_PICTURE) ||
      (one.tagName === "IMG" && !(width && height) && boxOf(one.parentElement ?? one).width >= SMALLEST_PICTURE)
    );
  });
}
