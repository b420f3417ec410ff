import { boxOf as measure } from "../dom.ts";

/** Boxes measured since `clearBoxes`: cards and their neighbours need the same ones again and again. */
let boxes = new WeakMap<Element, DOMRect>();

/** Returns an element's box. The page must not have been changed since `clearBoxes`. */
export function boxOf(element: Element): DOMRect {
  const box = boxes.get(element) ?? measure(element);
  boxes.set(element, box);
  return box;
}

export function clearBoxes(): void {
  boxes = new WeakMap();
}
