/** A product as a link of the store names it. */
export interface Linked {
  handle: string;
  /** the variant of `?variant=`, or "" */
  variant: string;
}

/** The address of a product, below a language or a collection. */
const PRODUCT = /^(?:\/[a-z]{2,3}(?:-\w+)*)?(?:\/collections\/[^/]+)?\/products\/([^/]+)\/?$/i;

/** What addresses lead to: parsing is most of the work, and a page has few addresses. */
const known = new Map<string, Linked | undefined>();

/** Returns the product that a link of this store leads to, or undefined for every other link. */
export function linked(link: Element): Linked | undefined {
  const href = link.getAttribute("href") ?? "";
  if (!href.includes("/products/")) return;
  if (!known.has(href)) known.set(href, parse(link));
  return known.get(href);
}

function parse(link: Element): Linked | undefined {
  if (!(link instanceof HTMLAnchorElement) || link.host !== location.host) return;
  try {
    const handle = decodeURIComponent(PRODUCT.exec(link.pathname)?.[1] ?? "");
    return handle ? { handle, variant: new URLSearchParams(link.search).get("variant") ?? "" } : undefined;
  } catch {
    // Not every text after % is an encoding.
    return;
  }
}

/** Calls back for the product links in an element until one gets `true`. @returns whether one did */
export function someLink(within: Element, callback: (link: HTMLAnchorElement, product: Linked) => boolean): boolean {
  for (const link of within.getElementsByTagName("a")) {
    const product = linked(link);
    if (product && callback(link, product)) return true;
  }
  return false;
}
