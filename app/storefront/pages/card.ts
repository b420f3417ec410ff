import type { MirroredProduct } from "../../catalog/index.server.ts";
import type { SavedItem } from "../../wishlists/index.server.ts";
import { inStore } from "./frame.ts";
import { liquidNumber, liquidString, text } from "./liquid.ts";
import type { View } from "./view.ts";
import { word } from "./words.ts";

/** Pixels that images are asked for in. */
const WIDTHS = [165, 360, 533, 720];
/** The width for browsers that do not choose. */
const WIDTH = 533;

const CROSS =
  '<svg viewBox="0 0 18 18" width="16" height="16" aria-hidden="true" focusable="false"><path d="M3 3l12 12M15 3L3 15" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/></svg>';

/** In the place of a missing picture. */
const NO_PICTURE =
  '<svg class="wl-blank" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false"><path d="M4 6h24v20H4zM4 21l7-7 6 6 4-4 7 7M21 12h.01" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** What removing from this list takes; undefined on a list that is not the shopper's own. */
export interface Removal {
  /** where the form goes without JavaScript, as a path of the store */
  action: string;
  /** undefined for guests, who have no list without JavaScript */
  token: string | undefined;
  view: View;
}

/**
 * One saved item as a card of the grid, as Liquid: title, picture, price and availability come from the theme's own product, so language,
 * currency and market are the store's. A product that the theme does not know any more is shown by what the catalog cache knows of it.
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
      `${liveCard(item, removal !== undefined)}{%- else -%}${titleOf(product)}${gone}{%- endif -%}${removing}`,
  );
}

/** For the remove button's name, where the theme does not know the product. */
function titleOf(product: MirroredProduct | undefined): string {
  return product
    ? `{%- capture wl_name -%}${text(product.title)}{%- endcapture -%}`
    : "{%- assign wl_name = wl_gone_product -%}";
}

/** @param isOwn whether the shopper can change the variant */
function liveCard(item: SavedItem, isOwn: boolean): string {
  const variantId = liquidNumber(item.variantId);
  const found =
    variantId === undefined
      ? ""
      : `{%- for wl_one in wl_product.variants -%}{%- if wl_one.id == ${variantId} -%}{%- assign wl_variant = wl_one -%}{%- break -%}{%- endif -%}{%- endfor -%}`;
  // Whatever another variant would show is there already, and hidden.
  const select = isOwn ? "{%- if wl_product.variants.size > 1 -%}{%- assign wl_select = true -%}{%- endif -%}" : "";
  return (
    `{%- assign wl_variant = nil -%}{%- assign wl_select = false -%}${found}${select}{%- assign wl_name = wl_product.title | escape -%}` +
    "{%- assign wl_image = wl_variant.image | default: wl_product.featured_image -%}{%- assign wl_url = wl_variant.url | default: wl_product.url -%}" +
    `${media()}<div class="wl-info"><h{{ wl_below }} class="wl-name card__heading"><a href="{{ wl_url | escape }}">{{ wl_name }}</a></h{{ wl_below }}>` +
    `{%- unless wl_product.has_only_default_variant -%}<p class="wl-variant{% if wl_select %} wl-scriptless{% endif %}">{{ wl_variant.title | escape }}</p>{%- endunless -%}` +
    `${isOwn ? variantSelect(item) : ""}<p class="wl-price">{%- if wl_variant -%}{%- if wl_variant.compare_at_price > wl_variant.price -%}<s>{{ wl_variant.compare_at_price | money }}</s> {% endif -%}<span>{{ wl_variant.price | money }}</span>{%- endif -%}</p></div>` +
    actions(isOwn)
  );
}

function media(): string {
  const sizes = "(min-width: 990px) 25vw, (min-width: 750px) 33vw, 50vw";
  const sources = WIDTHS.map((width) => `{{ wl_image | image_url: width: ${width} }} ${width}w`).join(", ");
  return (
    `<a class="wl-media" href="{{ wl_url | escape }}" tabindex="-1" aria-hidden="true">{%- if wl_image -%}<img src="{{ wl_image | image_url: width: ${WIDTH} }}" srcset="${sources}" sizes="${sizes}" alt="" loading="lazy" width="${WIDTH}" height="${WIDTH}">{%- else -%}${NO_PICTURE}{%- endif -%}` +
    `{%- if wl_variant == nil or wl_variant.available == false or wl_select -%}<span class="wl-badge" data-sold-out="${word("sold_out")}"{% if wl_variant and wl_variant.available %} hidden{% endif %}>{% if wl_variant %}${word("sold_out")}{% else %}${word("gone")}{% endif %}</span>{%- endif -%}</a>`
  );
}

/** All variants with what the card shows of each. The saved one that the product has no more is an option of its own. */
function variantSelect(item: SavedItem): string {
  const picture = `{%- if wl_one.image -%}data-image="{{ wl_one.image | image_url: width: ${WIDTH} }}"{%- endif -%}`;
  return (
    `{%- if wl_select -%}<select class="wl-select wl-pick wl-scripted" autocomplete="off" aria-label="{{ wl_variant_named | replace: '[title]', wl_name }}" data-image="{% if wl_product.featured_image %}{{ wl_product.featured_image | image_url: width: ${WIDTH} }}{% endif %}" data-wishlist-variant>` +
    `{%- unless wl_variant -%}<option value="${text(item.variantId)}" selected>${word("gone")}</option>{%- endunless -%}` +
    `{%- for wl_one in wl_product.variants -%}<option value="{{ wl_one.id }}" data-price="{{ wl_one.price | money | strip_html | escape }}"{% if wl_one.compare_at_price > wl_one.price %} data-was="{{ wl_one.compare_at_price | money | strip_html | escape }}"{% endif %}{% unless wl_one.available %} data-sold-out="{{ wl_one.title | escape }}"{% endunless %} ${picture}{% if wl_one.id == wl_variant.id %} selected{% endif %}>{{ wl_one.title | escape }}{% unless wl_one.available %} – ${word("sold_out")}{% endunless %}</option>{%- endfor -%}</select>{%- endif -%}`
  );
}

/** @param isOwn whether the item can leave the list for the cart */
function actions(isOwn: boolean): string {
  const named = '<span class="wl-hidden">– {{ wl_name }}</span>';
  const move = isOwn
    ? `<button type="submit" class="wl-link wl-scripted" data-wishlist-move>${word("move")}${named}</button>`
    : "";
  return (
    "{%- assign wl_buyable = false -%}{%- if wl_variant and wl_variant.available -%}{%- assign wl_buyable = true -%}{%- endif -%}" +
    `{%- if wl_buyable or wl_select -%}<form class="wl-cart" method="post" action="{{ routes.cart_add_url | default: '/cart/add' }}" data-wishlist-cart{% unless wl_buyable %} hidden{% endunless %}><input type="hidden" name="id" value="{{ wl_variant.id }}"><input type="hidden" name="quantity" value="1"><button type="submit" class="wl-button button button--secondary">${word("add")}${named}</button>${move}</form>{%- endif -%}` +
    `{%- if wl_select or wl_buyable == false -%}<p class="wl-cart" data-wishlist-show{% if wl_buyable %} hidden{% endif %}><a class="wl-button button button--secondary" href="{{ wl_url | escape }}">${word("view")}${named}</a></p>{%- endif -%}`
  );
}

function goneCard(product: MirroredProduct | undefined, item: SavedItem): string {
  const variant = product?.variants.find(({ variantId }) => variantId === item.variantId);
  const name = product ? text(product.title) : word("gone_product");
  const picture = isPicture(product?.imageUrl)
    ? `<img src="${text(product?.imageUrl ?? "")}" alt="" loading="lazy" width="${WIDTH}" height="${WIDTH}" onerror="this.remove()">`
    : "";
  const named =
    variant && product && product.variants.length > 1 ? `<p class="wl-variant">${text(variant.title)}</p>` : "";
  return `<div class="wl-media wl-gone">${NO_PICTURE}${picture}<span class="wl-badge">${word("gone")}</span></div><div class="wl-info"><h{{ wl_below }} class="wl-name card__heading">${name}</h{{ wl_below }}>${named}</div>`;
}

function isPicture(url: string | null | undefined): boolean {
  return typeof url === "string" && URL.parse(url)?.protocol === "https:";
}

function removeForm(item: SavedItem, { action, token, view }: Removal): string {
  const { page, sort, available } = view;
  const fields = {
    token: token ?? "",
    product: item.productId,
    variant: item.variantId,
    page: String(page),
    sort,
    ...(available && { available: "1" }),
  };
  const inputs = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${text(value)}">`)
    .join("");
  const label = "{{ wl_remove_named | replace: '[title]', wl_name }}";
  return `<form class="wl-remove" method="post" action="${inStore(action)}" data-wishlist-remove>${inputs}<button type="submit" aria-label="${label}" title="${word("remove")}">${CROSS}</button></form>`;
}
