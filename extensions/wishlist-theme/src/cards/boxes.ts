import { boxOf as measure } from "../page.ts";

/** What was measured since `forgetBoxes`: a card's elements are asked about again and again, and by its neighbours. */
let boxes = new WeakMap<Element, DOMRect>();

/** Where an element lies. Nothing may have been written since `forgetBoxes`. */
export function boxOf(element: Element): DOMRect {
  const box = boxes.get(element) ?? measure(element);
  boxes.set(element, box);
  return box;
}

export function forgetBoxes(): void {
  boxes = new WeakMap();
}
