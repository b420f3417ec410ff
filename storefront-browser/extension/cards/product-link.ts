/** The product that a link leads to. */
export interface Linked {
  handle: string;
  /** the variant of `?variant=`, or "" */
  variant: string;
}

/** The address of a product, below a language or a collection. */
const PRODUCT = /^(?:\/[a-z]{2,3}(?:-\w+)*)?(?:\/collections\/[^/]+)?\/products\/([^/]+)\/?$/i;

/** Products by address: parsing is most of the work, and a page has few addresses. */
const known = new Map<string, Linked | undefined>();

/** Returns the product that a link of this store leads to, or undefined for every other link. */
export function linked(link: Element): Linked | undefined {
  const href = link.getAttribute("href") ?? "";
  if (!href.includes("/products/")) return;
  if (!known.has(href)) known.set(href, productAt(href));
  return known.get(href);
}

/** Returns the product of an address of this store. */
export function productAt(href: string): Linked | undefined {
  try {
    const { host, pathname, searchParams } = new URL(href, document.baseURI);
    const handle = PRODUCT.exec(pathname)?.[1];
    if (!handle || host !== location.host) return;
    return { handle: decodeURIComponent(handle), variant: searchParams.get("variant") ?? "" };
  } catch {
    // An invalid % sequence.
    return;
  }
}

/** Calls back for the product links in an element until the callback returns true. @returns whether it did */
export function someLink(within: Element, callback: (link: HTMLAnchorElement, product: Linked) => boolean): boolean {
  const links = within.getElementsByTagName("a");
  // `links.length` would make the browser collect all of them.
  for (let index = 0, link = links.item(0); link; link = links.item(++index)) {
    const product = linked(link);
    if (product && callback(link, product)) return true;
  }
  return false;
}
