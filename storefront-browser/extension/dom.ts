/** A button that saves a product. */
export const HEART = "[data-wishlist-button]";
/** A form for alerts, with the button that opens it. */
export const ALERT_FORM = "[data-wishlist-ask]";
/** Elements that the app adds to a page. */
export const OURS = "[class*=whl-]";

/** Returns the page's elements for a selector, in document order. */
export function every<E extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): E[] {
  return [...within.querySelectorAll<E>(selector)];
}

/** Listens before the theme's own listeners. */
export function on<Name extends keyof DocumentEventMap>(
  name: Name,
  callback: (event: DocumentEventMap[Name]) => void,
): void {
  document.addEventListener(name, callback, true);
}

/** Calls back when the browser has laid out the page's changes: measuring before would make it lay out once more. */
export function afterLayout(callback: () => void): void {
  requestAnimationFrame(() => setTimeout(callback));
}

export function boxOf(element: Element): DOMRect {
  return element.getBoundingClientRect();
}

/** Returns a copy of the one element in a template of the embed block. */
export function copyOf(name: string): HTMLElement | undefined {
  templates[name] ??= document.querySelector<HTMLTemplateElement>(`template[data-wishlist-${name}]`);
  const copy = templates[name]?.content.firstElementChild?.cloneNode(true);
  return copy instanceof HTMLElement ? copy : undefined;
}
const templates: Record<string, HTMLTemplateElement | null> = {};
