import { Drop } from "liquidjs";
import { picturePath, PICTURE_SIZE } from "../foundation/product-pictures.ts";
import type { Cart } from "../store/carts.ts";
import type { StoreProduct, StoreVariant } from "../store/catalog.ts";
import { isAvailable } from "../store/inventory.ts";
import type { Store } from "../store/store.ts";

/** Products that `all_products` gives to one page, as Shopify. */
const ALL_PRODUCTS_MAXIMUM = 20;

/** Prefixes of the addresses in objects. */
export interface Roots {
  cdn: string;
  /** "" or "/de" */
  path: string;
}

function imageObject(product: StoreProduct, { cdn }: Roots) {
  if (!product.hasPicture) return null;
  return {
    id: Number(product.id),
    src: cdn + picturePath(product),
    alt: product.title,
    width: PICTURE_SIZE,
    height: PICTURE_SIZE,
    aspect_ratio: 1,
  };
}

function variantObject(product: StoreProduct, variant: StoreVariant, roots: Roots, chosen?: string) {
  return {
    id: Number(variant.id),
    title: variant.title,
    price: variant.priceCents,
    compare_at_price: variant.compareAtPriceCents,
    available: isAvailable(variant),
    sku: `LF-${variant.id.slice(-6)}`,
    options: variant.options,
    option1: variant.options[0] ?? null,
    option2: variant.options[1] ?? null,
    option3: variant.options[2] ?? null,
    selected: variant.id === chosen,
    url: `${roots.path}/products/${product.handle}?variant=${variant.id}`,
    featured_image: null,
    inventory_management: variant.inventory.tracked ? "shopify" : null,
    inventory_policy: variant.inventory.policy.toLowerCase(),
    inventory_quantity: variant.inventory.quantity,
    product: { id: Number(product.id), handle: product.handle, title: product.title },
  };
}

/** @param chosen id of the variant that the address asks for */
export function productObject(product: StoreProduct, roots: Roots, chosen?: string) {
  const variants = product.variants.map((variant) => variantObject(product, variant, roots, chosen));
  const prices = product.variants.map(({ priceCents }) => priceCents);
  const comparePrices = product.variants.flatMap(({ compareAtPriceCents }) => compareAtPriceCents ?? []);
  const selected = variants.find((variant) => variant.selected);
  const firstAvailable = variants.find(({ available }) => available);
  const current = selected ?? firstAvailable ?? variants[0];
  const image = imageObject(product, roots);
  const media = image && { ...image, media_type: "image", preview_image: image };
  const only = product.variants.length === 1 && product.variants[0]?.title === "Default Title";
  return {
    id: Number(product.id),
    handle: product.handle,
    title: product.title,
    vendor: product.vendor,
    type: product.productType,
    url: `${roots.path}/products/${product.handle}`,
    price: Math.min(...prices),
    price_min: Math.min(...prices),
    price_max: Math.max(...prices),
    price_varies: Math.min(...prices) !== Math.max(...prices),
    compare_at_price: comparePrices.length === 0 ? null : Math.min(...comparePrices),
    compare_at_price_min: comparePrices.length === 0 ? 0 : Math.min(...comparePrices),
    compare_at_price_max: Math.max(...comparePrices, 0),
    available: product.variants.some(isAvailable),
    variants,
    variants_count: variants.length,
    selected_variant: selected ?? null,
    first_available_variant: firstAvailable ?? null,
    selected_or_first_available_variant: current ?? null,
    has_only_default_variant: only,
    options: product.options.map(({ name }) => name),
    options_with_values: product.options.map(({ name, values }, index) => ({
      name,
      position: index + 1,
      values,
      selected_value: current?.options[index] ?? null,
    })),
    featured_image: image,
    featured_media: media,
    images: image === null ? [] : [image],
    media: media === null ? [] : [media],
    description: "",
    content: "",
    tags: [],
    metafields: {},
    created_at: product.createdAt.toISOString(),
    published_at: product.publishedAt?.toISOString() ?? null,
  };
}

/** `all_products[handle]`: nothing more after twenty of them on a page. */
export class AllProducts extends Drop {
  private readonly find: (handle: string) => object | undefined;
  private readonly given = new Map<string, object | undefined>();
  constructor(find: (handle: string) => object | undefined) {
    super();
    this.find = find;
  }
  override liquidMethodMissing(handle: string | number): object | undefined {
    const key = String(handle);
    if (!this.given.has(key) && this.given.size < ALL_PRODUCTS_MAXIMUM) this.given.set(key, this.find(key));
    return this.given.get(key);
  }
}

export function cartObject(store: Store, cart: Cart, roots: Roots) {
  const items = cart.lines.flatMap((line) => {
    const found = store.catalog.published.variant(line.variantId);
    if (found === undefined) return [];
    const { product, variant } = found;
    const only = variant.title === "Default Title";
    return [
      {
        id: Number(variant.id),
        key: line.key,
        variant_id: Number(variant.id),
        product_id: Number(product.id),
        quantity: line.quantity,
        title: only ? product.title : `${product.title} - ${variant.title}`,
        product_title: product.title,
        variant_title: only ? null : variant.title,
        handle: product.handle,
        url: `${roots.path}/products/${product.handle}?variant=${variant.id}`,
        price: variant.priceCents,
        final_price: variant.priceCents,
        original_line_price: variant.priceCents * line.quantity,
        final_line_price: variant.priceCents * line.quantity,
        properties: line.properties,
        gift_card: false,
        has_components: false,
        instructions: { can_remove: true, can_update_quantity: true },
        image: imageObject(product, roots),
        options_with_values: only
          ? []
          : product.options.map(({ name }, index) => ({ name, value: variant.options[index] ?? "" })),
        ...line.more,
      },
    ];
  });
  return {
    items,
    item_count: items.reduce((sum, { quantity }) => sum + quantity, 0),
    total_price: items.reduce((sum, { final_line_price }) => sum + final_line_price, 0),
    currency: { iso_code: store.shop.currency },
    note: cart.note,
    attributes: cart.attributes,
    empty: items.length === 0,
  };
}
