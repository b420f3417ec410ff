// Fills an empty list with products: those that the visitor viewed last, and what the store recommends to the last of them.
import { fields, list, text, type Fields } from "../shared/checked.ts";
import { create } from "../shared/create.ts";
import { readViewed } from "../shared/viewed.ts";
import { find } from "./dom.ts";

/** The most products of a kind that are shown. */
const VIEWED = 8;
const RECOMMENDED = 4;

/** Returns a response of the store as JSON; nothing when it fails, as the page goes without. */
async function load(address: string): Promise<Fields> {
  try {
    const response = await fetch(address);
    const json: unknown = response.ok ? await response.json() : undefined;
    return fields(json);
  } catch {
    return {};
  }
}

/** Returns the price where all variants have the same. Amounts of the store are in hundredths. */
function priceOf({ price, price_varies }: Fields): string {
  const currency = window.Shopify?.currency?.active;
  if (!currency || price_varies || typeof price !== "number") return "";
  return new Intl.NumberFormat(document.documentElement.lang || undefined, { style: "currency", currency }).format(
    price / 100,
  );
}

/** Returns a product as a card; undefined for one without a page of this store. */
function cardOf(product: Fields): HTMLElement | undefined {
  const address = URL.parse(text(product["url"]), location.href);
  if (!address || address.origin !== location.origin || !product["title"]) return undefined;
  const href = address.pathname + address.search;
  const media = create("a", { className: "wl-media", href, tabIndex: -1, ariaHidden: "true" });
  const picture = URL.parse(text(product["featured_image"]), location.href);
  if (picture) {
    if (picture.protocol === "https:") picture.searchParams.set("width", "533");
    media.append(create("img", { src: picture.href, alt: "", loading: "lazy", width: 533, height: 533 }));
  }
  const name = create("p", { className: "wl-name" });
  name.append(create("a", { href, textContent: text(product["title"]) }));
  const info = create("div", { className: "wl-info" });
  info.append(name, create("p", { className: "wl-price", textContent: priceOf(product) }));
  const card = create("li", { className: "wl-card" });
  card.append(media, info);
  return card;
}

function fill(part: HTMLElement, products: readonly Fields[]): void {
  const cards = products.flatMap((product) => cardOf(product) ?? []);
  find(part, "ul").replaceChildren(...cards);
  part.hidden = cards.length === 0;
}

/** Shows products below the notice of an empty list. */
export async function suggest(root: HTMLElement): Promise<void> {
  const box = root.querySelector<HTMLElement>("[data-wishlist-suggestions]");
  const handles = readViewed().slice(0, VIEWED);
  if (!box || handles.length === 0) return;
  const { store = "", recommendations = "" } = box.dataset;
  const read = await Promise.all(handles.map((handle) => load(`${store}/products/${encodeURIComponent(handle)}.js`)));
  const viewed = read.filter(({ id }) => id);
  fill(find(box, "[data-wishlist-viewed]"), viewed);
  const [last] = viewed;
  if (!last || !recommendations) return;
  const query = `product_id=${text(last["id"])}&limit=${RECOMMENDED}&intent=related`;
  const { products } = await load(`${recommendations}.json?${query}`);
  fill(find(box, "[data-wishlist-recommended]"), list(products).map(fields).slice(0, RECOMMENDED));
}
