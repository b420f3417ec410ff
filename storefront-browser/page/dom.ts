/** Returns the first element for the selector. @throws when there is none: the page is not as the app made it */
export function find(within: ParentNode, selector: string): HTMLElement {
  const found = within.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
}

/** Returns the nearest element around another one. @throws when there is none */
function around(element: Element, selector: string): HTMLElement {
  const found = element.closest<HTMLElement>(selector);
  if (!found) throw new Error(`not in ${selector}`);
  return found;
}

/** Returns the list that an element belongs to: a page may have several. */
export function rootOf(element: Element): HTMLElement {
  return around(element, "[data-wishlist-root]");
}

/** Returns the id of the list that a root shows; undefined for the default list. */
export function listOf({ dataset }: HTMLElement): string | undefined {
  return dataset["list"];
}

export function cardOf(element: Element): HTMLElement {
  return around(element, "[data-wishlist-item]");
}

/** Returns the product's title on a card. */
export function titleOf(card: Element): string {
  return find(card, ".wl-name").textContent.trim();
}
