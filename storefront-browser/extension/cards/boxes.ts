import { boxOf as measure } from "../dom.ts";

/** Boxes measured since `forgetBoxes`: cards and their neighbours need the same ones again and again. */
let boxes = new WeakMap<Element, DOMRect>();

/** Returns an element's box. The page must not have been changed since `forgetBoxes`. */
export function boxOf(element: Element): DOMRect {
  const box = boxes.get(element) ?? measure(element);
  boxes.set(element, box);
  return box;
}

export function forgetBoxes(): void {
  boxes = new WeakMap();
}
