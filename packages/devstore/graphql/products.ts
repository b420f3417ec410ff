import { amountOf } from "../foundation/currency.ts";
import { CDN } from "../foundation/addresses.ts";
import { PICTURE_SIZE, picturePath } from "../foundation/product-pictures.ts";
import type { StoreProduct, StoreVariant } from "../store/catalog.ts";
import { isAvailable } from "../store/inventory.ts";
import type { Store } from "../store/store.ts";
import { gid, parseGid } from "../foundation/gid.ts";
import { hasScope } from "../foundation/scopes.ts";
import { connection, type PageArguments, type Position } from "./connections.ts";
import { badUserInput, requireScope, type Caller } from "./problems.ts";
import { search, type SearchFields } from "./search.ts";

export interface Listing extends PageArguments {
  query?: string | null;
  sortKey?: string | null;
}

export interface VariantOfProduct {
  product: StoreProduct;
  variant: StoreVariant;
  /** from 1 */
  position: number;
}

export const productFields: SearchFields<StoreProduct> = {
  text: ({ title, vendor, productType }) => `${title} ${vendor} ${productType}`,
  id: ({ id }) => Number(id),
  title: ({ title }) => title,
  handle: ({ handle }) => handle,
  vendor: ({ vendor }) => vendor,
  product_type: ({ productType }) => productType,
  status: ({ status }) => status.toLowerCase(),
  published_status: ({ publishedAt }) => (publishedAt === null ? "unpublished" : "published"),
  updated_at: ({ updatedAt }) => updatedAt,
  created_at: ({ createdAt }) => createdAt,
};

const variantFields: SearchFields<VariantOfProduct> = {
  text: ({ product, variant }) => `${product.title} ${variant.title}`,
  id: ({ variant }) => Number(variant.id),
  product_id: ({ product }) => Number(product.id),
  title: ({ variant }) => variant.title,
  updated_at: ({ product }) => product.updatedAt,
};

export function productPosition(sortKey: string | null | undefined): (product: StoreProduct) => Position {
  switch (sortKey) {
    case "TITLE":
      return ({ id, title }) => ({ id, value: title.toLowerCase() });
    case "PRODUCT_TYPE":
      return ({ id, productType }) => ({ id, value: productType });
    case "VENDOR":
      return ({ id, vendor }) => ({ id, value: vendor });
    case "PRICE":
      return ({ id, variants }) => ({ id, value: Math.min(...variants.map(({ priceCents }) => priceCents)) });
    case "UPDATED_AT":
      return ({ id, updatedAt }) => ({ id, value: updatedAt.getTime() });
    case "CREATED_AT":
    case "PUBLISHED_AT":
      return ({ id, createdAt }) => ({ id, value: createdAt.getTime() });
    default:
      return ({ id }) => ({ id, value: Number(id) });
  }
}

export function variantsOf(product: StoreProduct): VariantOfProduct[] {
  return product.variants.map((variant, index) => ({ product, variant, position: index + 1 }));
}

export function variantPosition(sortKey: string | null | undefined): (one: VariantOfProduct) => Position {
  if (sortKey === "POSITION") return ({ variant, position }) => ({ id: variant.id, value: position });
  if (sortKey === "TITLE") return ({ variant }) => ({ id: variant.id, value: variant.title });
  return ({ variant }) => ({ id: variant.id, value: Number(variant.id) });
}

/** @param cdn origin of the pictures */
export function showImage(product: StoreProduct, cdn: string) {
  if (!product.hasPicture) return null;
  return {
    id: gid("ImageSource", product.id),
    altText: product.title,
    width: PICTURE_SIZE,
    height: PICTURE_SIZE,
    url({ transform }: { transform?: { maxWidth?: number; maxHeight?: number } | null }) {
      const url = new URL(cdn + picturePath(product));
      if (transform?.maxWidth) url.searchParams.set("width", String(transform.maxWidth));
      if (transform?.maxHeight) url.searchParams.set("height", String(transform.maxHeight));
      return url.href;
    },
  };
}

function showInventoryItem(store: Store, one: VariantOfProduct) {
  const { product, variant } = one;
  return {
    __typename: "InventoryItem",
    id: gid("InventoryItem", variant.inventory.itemId),
    legacyResourceId: variant.inventory.itemId,
    sku: `LF-${variant.id.slice(-6)}`,
    tracked: variant.inventory.tracked,
    requiresShipping: true,
    variants: (page: Listing) =>
      connection([one], page, variantPosition(page.sortKey), (variant) => showVariant(store, variant)),
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString(),
  };
}

export function showVariant(store: Store, { product, variant, position }: VariantOfProduct) {
  const { currency } = store.shop;
  return {
    __typename: "ProductVariant",
    id: gid("ProductVariant", variant.id),
    legacyResourceId: variant.id,
    title: variant.title,
    displayName: `${product.title} - ${variant.title}`,
    sku: `LF-${variant.id.slice(-6)}`,
    barcode: null,
    position,
    price: amountOf(variant.priceCents, currency),
    compareAtPrice: variant.compareAtPriceCents === null ? null : amountOf(variant.compareAtPriceCents, currency),
    availableForSale: isAvailable(variant),
    inventoryQuantity: variant.inventory.quantity,
    inventoryPolicy: variant.inventory.policy,
    inventoryItem: () => showInventoryItem(store, { product, variant, position }),
    selectedOptions: product.options.map(({ name }, index) => ({ name, value: variant.options[index] ?? "" })),
    image: null,
    product: () => showProduct(store, product),
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString(),
  };
}

export function showProduct(store: Store, product: StoreProduct) {
  const prices = product.variants.map(({ priceCents }) => priceCents);
  const price = (cents: number) => ({
    amount: amountOf(cents, store.shop.currency),
    currencyCode: store.shop.currency,
  });
  const image = showImage(product, CDN);
  const media = image && {
    __typename: "MediaImage",
    id: gid("MediaImage", product.id),
    alt: product.title,
    mediaContentType: "IMAGE",
    preview: { image },
    image,
  };
  const address = `https://${store.shop.domain}/products/${product.handle}`;
  return {
    __typename: "Product",
    id: gid("Product", product.id),
    legacyResourceId: product.id,
    handle: product.handle,
    title: product.title,
    vendor: product.vendor,
    productType: product.productType,
    status: product.status,
    tags: [],
    description: "",
    descriptionHtml: "",
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString(),
    publishedAt: product.publishedAt?.toISOString() ?? null,
    onlineStoreUrl: store.catalog.published.byHandle(product.handle) === undefined ? null : address,
    onlineStorePreviewUrl: address,
    totalInventory: product.variants.reduce((sum, { inventory }) => sum + inventory.quantity, 0),
    tracksInventory: product.variants.some(({ inventory }) => inventory.tracked),
    hasOnlyDefaultVariant: product.variants.length === 1 && product.variants[0]?.title === "Default Title",
    hasOutOfStockVariants: product.variants.some(({ inventory }) => inventory.tracked && inventory.quantity <= 0),
    variantsCount: { count: product.variants.length, precision: "EXACT" },
    options: product.options.map(({ name, values }, index) => ({
      id: gid("ProductOption", `${product.id}${index + 1}`),
      name,
      position: index + 1,
      values,
    })),
    priceRangeV2: {
      minVariantPrice: price(Math.min(...prices)),
      maxVariantPrice: price(Math.max(...prices)),
    },
    featuredMedia: media,
    featuredImage: image,
    media: (page: PageArguments) =>
      connection(
        media === null ? [] : [media],
        page,
        ({ id }) => ({ id, value: id }),
        (one) => one,
      ),
    variants: (page: Listing) =>
      connection(variantsOf(product), page, variantPosition(page.sortKey), (one) => showVariant(store, one)),
  };
}

/** @param id numeric */
export function inventoryItem(store: Store, id: string) {
  for (const product of store.catalog.all()) {
    const one = variantsOf(product).find(({ variant }) => variant.inventory.itemId === id);
    if (one !== undefined) return showInventoryItem(store, one);
  }
  return null;
}

export function productQueries(store: Store, caller: Caller) {
  const { catalog } = store;
  const found = (product: StoreProduct | undefined) => (product === undefined ? null : showProduct(store, product));
  const allVariants = () => catalog.all().flatMap((product) => variantsOf(product));

  function byGid(id: string): StoreProduct | undefined {
    const read = parseGid(id);
    if (read === undefined) throw badUserInput(`Invalid global id '${id}'`);
    return read.type === "Product" ? catalog.byId(read.id) : undefined;
  }

  return {
    product({ id }: { id: string }) {
      requireScope(caller, "read_products", "product");
      return found(byGid(id));
    },
    productByHandle({ handle }: { handle: string }) {
      requireScope(caller, "read_products", "productByHandle");
      return found(catalog.byHandle(handle));
    },
    productByIdentifier({ identifier }: { identifier: { id?: string; handle?: string } }) {
      requireScope(caller, "read_products", "productByIdentifier");
      if (Object.keys(identifier).length !== 1) throw badUserInput("identifier needs exactly one of id and handle");
      return found(identifier.id ? byGid(identifier.id) : catalog.byHandle(identifier.handle ?? ""));
    },
    products({ query, sortKey, ...page }: Listing) {
      requireScope(caller, "read_products", "products");
      return connection(search(catalog.all(), query, productFields), page, productPosition(sortKey), (product) =>
        showProduct(store, product),
      );
    },
    productsCount({ query }: { query?: string | null }) {
      requireScope(caller, "read_products", "productsCount");
      return { count: search(catalog.all(), query, productFields).length, precision: "EXACT" };
    },
    productVariant({ id }: { id: string }) {
      requireScope(caller, "read_products", "productVariant");
      const one = allVariants().find(({ variant }) => gid("ProductVariant", variant.id) === id);
      return one === undefined ? null : showVariant(store, one);
    },
    inventoryItem({ id }: { id: string }) {
      if (!hasScope(caller.scopes, "read_inventory")) requireScope(caller, "read_products", "inventoryItem");
      const read = parseGid(id);
      return read?.type === "InventoryItem" ? inventoryItem(store, read.id) : null;
    },
    productVariants({ query, sortKey, ...page }: Listing) {
      requireScope(caller, "read_products", "productVariants");
      return connection(search(allVariants(), query, variantFields), page, variantPosition(sortKey), (one) =>
        showVariant(store, one),
      );
    },
  };
}
