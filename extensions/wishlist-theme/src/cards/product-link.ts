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
  if (!known.has(href)) known.set(href, productAt(href));
  return known.get(href);
}

/** Returns the product that an address of this store is of. */
export function productAt(href: string): Linked | undefined {
  try {
    const { host, pathname, searchParams } = new URL(href, document.baseURI);
    const handle = PRODUCT.exec(pathname)?.[1];
    if (!handle || host !== location.host) return;
    return { handle: decodeURIComponent(handle), variant: searchParams.get("variant") ?? "" };
  } catch {
    // Not every text after % is an encoding.
    return;
  }
}

/** Calls back for the product links in an element until one gets `true`. @returns whether one did */
export function someLink(within: Element, callback: (link: HTMLAnchorElement, product: Linked) => boolean): boolean {
  const links = within.getElementsByTagName("a");
  // One after the other: asked for their number, the browser counts them all.
  for (let index = 0, link = links.item(0); link; link = links.item(++index)) {
    const product = linked(link);
    if (product && callback(link, product)) return true;
  }
  return false;
}
