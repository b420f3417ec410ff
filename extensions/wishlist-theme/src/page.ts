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

/** A copy of the one element of a template that the embed brings. */
export function copyOf(template: string): HTMLElement | undefined {
  const copy = document.querySelector<HTMLTemplateElement>(template)?.content.firstElementChild?.cloneNode(true);
  return copy instanceof HTMLElement ? copy : undefined;
}

/** The element that brings the settings and texts, and says the messages. The embed's, at the body's end, has the last word. */
function rendered(name: string): HTMLElement | undefined {
  return every(`[data-wishlist-setup][data-${name}]`).at(-1);
}

/** A setting or text of the blocks' Liquid (snippets/wishlist-setup.liquid). */
export function setup(name: string): string {
  return rendered(name)?.dataset[name] ?? "";
}

/** Milliseconds for which a message stays. */
const STAYS = 6000;
let clearing: ReturnType<typeof setTimeout> | undefined;

/** Says to eyes and ears, without taking the focus, what went wrong: the text for the HTTP status, or the one for all others. */
export function say(status = 0, seconds = ""): void {
  const region = rendered("failed");
  if (!region) return;
  clearTimeout(clearing);
  region.textContent = (setup(`on-${status}`) || setup("failed")).replace("[seconds]", seconds);
  clearing = setTimeout(() => (region.textContent = ""), STAYS);
}
