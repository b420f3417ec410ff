import type { MirroredProduct } from "../../shops/index.server.ts";
import type { SavedItem } from "../../wishlists/index.server.ts";
import { inStore } from "./frame.ts";
import { liquidNumber, liquidString, text } from "./liquid.ts";
import { word } from "./words.ts";

/** Pixels that images are asked for in. */
const WIDTHS = [165, 360, 533, 720];

const CROSS =
  '<svg viewBox="0 0 18 18" width="16" height="16" aria-hidden="true" focusable="false"><path d="M3 3l12 12M15 3L3 15" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/></svg>';

/** What removing from this list takes; undefined on a list that is not the shopper's own. */
export interface Removal {
  /** where the form goes without JavaScript, as a path of the store */
  action: string;
  /** undefined for guests, who have no list without JavaScript */
  token: string | undefined;
  page: number;
}

/**
 * One saved item as a card of the grid, as Liquid: title, picture, price and availability come from the theme's own product, so language,
 * currency and market are the store's. A product that the theme does not know any more is shown by what the mirror remembers of it.
 */
export function card(item: SavedItem, product: MirroredProduct | undefined, removal: Removal | undefined): string {
  const handle = product && liquidString(product.handle);
  const productId = liquidNumber(item.productId);
  const removing = removal ? removeForm(item, removal) : "";
  const frame = (content: string): string =>
    `<li class="wl-card" data-wishlist-item data-product-id="${text(item.productId)}" data-variant-id="${text(item.variantId)}">${content}</li>`;
  const gone = goneCard(product, item);
  if (handle === undefined || productId === undefined) {
    return frame(`${titleOf(product)}${gone}${removing}`);
  }
  return frame(
    `{%- assign wl_product = all_products[${handle}] -%}{%- if wl_product.id == ${productId} -%}` +
      `${liveCard(liquidNumber(item.variantId))}{%- else -%}${titleOf(product)}${gone}{%- endif -%}${removing}`,
  );
}

/** For the remove button's name, where the theme does not know the product. */
function titleOf(product: MirroredProduct | undefined): string {
  return product
    ? `{%- capture wl_name -%}${text(product.title)}{%- endcapture -%}`
    : "{%- assign wl_name = wl_gone_product -%}";
}

function liveCard(variantId: string | undefined): string {
  const found =
    variantId === undefined
      ? ""
      : `{%- for wl_one in wl_product.variants -%}{%- if wl_one.id == ${variantId} -%}{%- assign wl_variant = wl_one -%}{%- break -%}{%- endif -%}{%- endfor -%}`;
  const sizes = "(min-width: 990px) 25vw, (min-width: 750px) 33vw, 50vw";
  const sources = WIDTHS.map((width) => `{{ wl_image | image_url: width: ${width} }} ${width}w`).join(", ");
  return (
    `{%- assign wl_variant = nil -%}${found}{%- assign wl_name = wl_product.title | escape -%}` +
    "{%- assign wl_image = wl_variant.image | default: wl_product.featured_image -%}{%- assign wl_url = wl_variant.url | default: wl_product.url -%}" +
    `<a class="wl-media" href="{{ wl_url | escape }}" tabindex="-1" aria-hidden="true">{%- if wl_image -%}<img src="{{ wl_image | image_url: width: 533 }}" srcset="${sources}" sizes="${sizes}" alt="" loading="lazy" width="533" height="533">{%- endif -%}` +
    `{%- if wl_variant == nil -%}<span class="wl-badge">${word("gone")}</span>{%- elsif wl_variant.available == false -%}<span class="wl-badge">${word("sold_out")}</span>{%- endif -%}</a>` +
    '<div class="wl-info"><h{{ wl_below }} class="wl-name card__heading"><a href="{{ wl_url | escape }}">{{ wl_name }}</a></h{{ wl_below }}>' +
    '{%- if wl_variant -%}{%- unless wl_product.has_only_default_variant -%}<p class="wl-variant">{{ wl_variant.title | escape }}</p>{%- endunless -%}' +
    '<p class="wl-price">{%- if wl_variant.compare_at_price > wl_variant.price -%}<s>{{ wl_variant.compare_at_price | money }}</s> {% endif -%}<span>{{ wl_variant.price | money }}</span></p>{%- endif -%}</div>' +
    `{%- if wl_variant and wl_variant.available -%}<form class="wl-cart" method="post" action="{{ routes.cart_add_url | default: '/cart/add' }}" data-wishlist-cart><input type="hidden" name="id" value="{{ wl_variant.id }}"><input type="hidden" name="quantity" value="1"><button type="submit" class="wl-button button button--secondary">${word("add")}<span class="wl-hidden">– {{ wl_name }}</span></button></form>` +
    `{%- else -%}<p class="wl-cart"><a class="wl-button button button--secondary" href="{{ wl_product.url | escape }}">${word("view")}<span class="wl-hidden">– {{ wl_name }}</span></a></p>{%- endif -%}`
  );
}

function goneCard(product: MirroredProduct | undefined, item: SavedItem): string {
  const variant = product?.variants.find(({ variantId }) => variantId === item.variantId);
  const name = product ? text(product.title) : word("gone_product");
  const picture = isPicture(product?.imageUrl)
    ? `<img src="${text(product?.imageUrl ?? "")}" alt="" loading="lazy" width="533" height="533" onerror="this.remove()">`
    : "";
  const named =
    variant && product && product.variants.length > 1 ? `<p class="wl-variant">${text(variant.title)}</p>` : "";
  return `<div class="wl-media wl-gone">${picture}<span class="wl-badge">${word("gone")}</span></div><div class="wl-info"><h{{ wl_below }} class="wl-name card__heading">${name}</h{{ wl_below }}>${named}</div>`;
}

function isPicture(url: string | null | undefined): boolean {
  return typeof url === "string" && URL.parse(url)?.protocol === "https:";
}

function removeForm(item: SavedItem, { action, token, page }: Removal): string {
  const fields = { token: token ?? "", product: item.productId, variant: item.variantId, page: String(page) };
  const inputs = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${text(value)}">`)
    .join("");
  const label = "{{ wl_remove_named | replace: '[title]', wl_name }}";
  return `<form class="wl-remove" method="post" action="${inStore(action)}" data-wishlist-remove>${inputs}<button type="submit" aria-label="${label}" title="${word("remove")}">${CROSS}</button></form>`;
}
