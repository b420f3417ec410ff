/** A button that saves a product. */
export const HEART = "[data-wishlist-button]";
/** What the app adds to a page. */
export const OURS = "[class*=whl-]";

/** The page's elements of a selector, in their order. */
export function every<E extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): E[] {
  return [...within.querySelectorAll<E>(selector)];
}

export function on<Name extends keyof DocumentEventMap>(
  name: Name,
  callback: (event: DocumentEventMap[Name]) => void,
): void {
  document.addEventListener(name, callback, true);
}

export function boxOf(element: Element): DOMRect {
  return element.getBoundingClientRect();
}

/** A copy of the one element of a template that the embed brings. */
export function copyOf(name: string): HTMLElement | undefined {
  templates[name] ??= document.querySelector<HTMLTemplateElement>(`template[data-wishlist-${name}]`);
  const copy = templates[name]?.content.firstElementChild?.cloneNode(true);
  return copy instanceof HTMLElement ? copy : undefined;
}
const templates: Record<string, HTMLTemplateElement | null> = {};

/** A setting or text of the blocks' Liquid (snippets/wishlist-setup.liquid). The embed's, at the body's end, has the last word. */
export function setup(name: string): string {
  settings ??= Object.fromEntries(every("[data-wishlist-setup]").flatMap(({ dataset }) => Object.entries(dataset)));
  return settings[name] ?? "";
}
let settings: Record<string, string | undefined> | undefined;

/** Loads a part of the script that only some pages need, once. */
export function loadPart(part: string, failed = (): void => undefined): void {
  if (loaded.size === loaded.add(part).size) return;
  const script = Object.assign(document.createElement("script"), { src: setup(`${part}Part`), onerror: failed });
  document.head.append(script);
}
const loaded = new Set<string>();
