import { boxOf } from "./boxes.ts";
import type { Card } from "./card.ts";

const { setup } = wishlistCore;

/** The place of a heart on a card. */
export interface Place {
  host: Element;
  /** appended to its style */
  style: string;
  /** its position from the host's corner, where the style can't be known before measuring */
  target?: Point;
}

/** Pixels of a heart's side and of its distance from the picture's edges. */
const SIDE = 44;
const GAP = 4;
/** Pixels by which a host's edge may be away from the picture's edge. */
const NEAR = 40;
/** Pixels of the widest badge: wider pictures are layers. */
const SMALL = 96;
/** Buttons that may appear under a pointer. */
const QUICK = "button,input,[role=button],a[href^='#']";

interface Point {
  x: number;
  y: number;
}

type Corner = readonly [block: "top" | "bottom", inline: "left" | "right"];

/** Returns the place of a card's heart: a free corner of the picture. */
export function placeOn({ scope, element, picture }: Card): Place {
  const box = atRest(picture);
  const [wantedBlock, wantedEnd] = setup("corner").split(" ");
  const isRtl = getComputedStyle(element).direction === "rtl";
  const inline = (wantedEnd === "start") === isRtl ? "right" : "left";
  const block = wantedBlock === "bottom" ? "bottom" : "top";
  const corners: Corner[] = [
    [block, inline],
    [block, inline === "left" ? "right" : "left"],
    [block === "top" ? "bottom" : "top", inline],
    [block === "top" ? "bottom" : "top", inline === "left" ? "right" : "left"],
  ];
  const [dx = 0, dy = 0] = setup("offset").split(" ").map(Number);
  if (wantedBlock === "title") {
    const title = boxOf(scope.querySelector("h1,h2,h3,h4,h5,h6") ?? scope.querySelector("a:not(:has(img))") ?? scope);
    const x = inline === "left" ? box.left + dx : box.right - SIDE - dx;
    return beside(element, { x, y: title.top + (title.height - SIDE) / 2 + dy });
  }
  const pointOf = ([b, i]: Corner, around: DOMRect): Point => ({
    x: i === "left" ? around.left + GAP + dx : around.right - SIDE - GAP - dx,
    y: b === "top" ? around.top + GAP + dy : around.bottom - SIDE - GAP - dy,
  });
  let corner: Corner = [block, inline];
  let target = pointOf(corner, box);
  const layers: Element[] = [];
  search: for (const around of [box, boxOf(scope)]) {
    const taken: DOMRect[] = [];
    collect(scope, picture, around, { taken, layers });
    for (const one of corners) {
      const { x, y } = pointOf(one, around);
      if (taken.some(({ left, right, top, bottom }) => left < x + SIDE && right > x && top < y + SIDE && bottom > y)) {
        continue;
      }
      corner = one;
      target = { x, y };
      break search;
    }
  }
  const host = hostOf(scope, picture, target, corner);
  if (!host) return beside(element, target, levelOf(scope, element, layers));
  const outer = boxOf(host);
  // Offsets are measured from inside the border.
  const { clientLeft, clientTop, clientWidth, clientHeight } = host;
  const left = target.x - outer.left - clientLeft;
  const top = target.y - outer.top - clientTop;
  const [b, i] = corner;
  const isHigh = b === "top" || Math.abs(outer.bottom - box.bottom) > 2;
  const across = `${i}:${i === "left" ? left : clientWidth - left - SIDE}px`;
  const down = isHigh ? `top:${top}px` : `bottom:${clientHeight - top - SIDE}px`;
  const level = `z-index:${levelOf(scope, host, layers)}`;
  return { host, style: `;${across}!important;${down}!important;${level}!important` };
}

/** Returns a picture's box without the zoom by which a theme lets it appear, and which no observer sees end. */
function atRest(picture: Element): DOMRect {
  const box = boxOf(picture);
  // A drawing has no size in the layout.
  if (!(picture instanceof HTMLElement)) return box;
  const { offsetWidth: width, offsetHeight: height } = picture;
  return new DOMRect(box.x + (box.width - width) / 2, box.y + (box.height - height) / 2, width, height);
}

/** Returns a place that has to be measured, as it is tied to no edge of the host. */
function beside(host: Element, { x, y }: Point, level = 0): Place {
  const { left, top } = boxOf(host);
  const style = `;translate:0px!important;z-index:${level}!important`;
  return { host, style, target: { x: x - left, y: y - top } };
}

/** Returns the outermost positioned element of the card, outside of links, whose corner is the picture's: inner ones may slide and zoom. */
function hostOf(scope: Element, picture: Element, { x, y }: Point, [, i]: Corner): Element | undefined {
  let found: Element | undefined;
  for (let one: Element | null = picture; one && one !== scope.parentElement; one = one.parentElement) {
    if (one.closest("a") || (one === picture && one !== scope)) continue;
    const { display, position, pointerEvents } = getComputedStyle(one);
    // The edges of an inline element are those of its text.
    if (position === "static" || display === "inline" || pointerEvents === "none") continue;
    const { left, right, top } = boxOf(one);
    const isNear = Math.abs(i === "left" ? x - left : right - x - SIDE) <= NEAR && Math.abs(y - top) <= NEAR;
    if (!found || isNear) found = one;
  }
  return found;
}

/** Elements over a card's picture. */
interface Over {
  /** boxes of badges, buttons and texts */
  taken: DOMRect[];
  /** elements over most of it, such as a second picture */
  layers: Element[];
}

/** Collects the elements over the picture, also those that only a pointer shows. */
function collect(element: Element, picture: Element, box: DOMRect, over: Over): void {
  for (const one of element.children) {
    if ((one === picture && one.tagName !== "A") || one.matches("[class*=whl-]")) continue;
    // In place of a picture there may be text: its words count, not the width of their box.
    const own = picture.contains(element) && !one.firstElementChild ? textBox(one) : boxOf(one);
    const isOver = own.left < box.right && own.right > box.left && own.top < box.bottom && own.bottom > box.top;
    const isLayer = own.width * own.height > (box.width * box.height) / 2;
    if (isOver && isLayer && !one.contains(picture)) over.layers.push(one);
    if (one.contains(picture) || !own.width || !own.height || (isOver && isLayer)) collect(one, picture, box, over);
    else if (isOver && (own.width < SMALL || !one.matches("img,picture,video")) && isSeen(one)) over.taken.push(own);
  }
}

/** Tells whether an element is visible, or holds a button that appears under a pointer. */
function isSeen(one: Element): boolean {
  return one.checkVisibility({ visibilityProperty: true }) || one.matches(QUICK) || one.querySelector(QUICK) !== null;
}

/** Returns the stacking level of the layers that a theme spreads over a card, such as its link: a heart lies on these and on nothing else. */
function levelOf(scope: Element, host: Element, layers: readonly Element[]): number {
  return [...layers, ...scope.getElementsByTagName("a")].reduce((highest, layer) => {
    // Cards are alike: elements of the same kind are measured once.
    const kind = [host, layer, layer.parentElement]
      .map((one) => `${one?.tagName ?? ""}.${one?.className ?? ""}`)
      .join();
    const level = levels.get(kind) ?? levelOfLayer(layer, host);
    levels.set(kind, level);
    return Math.max(highest, level);
  }, 0);
}
const levels = new Map<string, number>();

function levelOfLayer(layer: Element, host: Element): number {
  let level = 0;
  for (const pseudo of ["::before", "::after"]) {
    const { content, position, zIndex } = getComputedStyle(layer, pseudo);
    if (content !== "none" && position === "absolute") level = Math.max(level, Number(zIndex) || 0);
  }
  // The outermost level counts: it holds those within it.
  for (let one: Element | null = layer; one && !one.contains(host); one = one.parentElement) {
    const { position, zIndex } = getComputedStyle(one);
    if (position !== "static" && zIndex !== "auto") level = Number(zIndex);
  }
  return level;
}

function textBox(element: Element): DOMRect {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
}
