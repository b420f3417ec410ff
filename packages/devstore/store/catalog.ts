import { now } from "../../../app/platform/clock.server.ts";
import type { SeedProduct } from "../../../prisma/seed/model.ts";
import { isAvailable, newInventory, USUAL_QUANTITY, type Inventory, type InventoryPolicy } from "./inventory.ts";
import { optionsOf, type ProductOption } from "./product-options.ts";

export interface StoreVariant {
  id: string;
  title: string;
  priceCents: number;
  compareAtPriceCents: number | null;
  inventory: Inventory;
  /** the value of each of the product's options */
  options: string[];
}

export const STATUSES = ["ACTIVE", "UNLISTED", "DRAFT", "ARCHIVED"] as const;
export type ProductStatus = (typeof STATUSES)[number];
/** A status of this API version, or one of a later version. */
type AnyStatus = ProductStatus | (string & {});

export interface StoreProduct {
  id: string;
  status: AnyStatus;
  /** when it was published on the online store; null if it is not */
  publishedAt: Date | null;
  handle: string;
  title: string;
  vendor: string;
  productType: string;
  hasPicture: boolean;
  options: ProductOption[];
  variants: StoreVariant[];
  createdAt: Date;
  updatedAt: Date;
}

export interface VariantEdit {
  priceCents?: number | undefined;
  /** null removes it */
  compareAtPriceCents?: number | null | undefined;
  /** inventory quantity; may be negative */
  quantity?: number | undefined;
  tracked?: boolean | undefined;
  policy?: InventoryPolicy | undefined;
  /** restocks a variant that is sold out, or sells it out */
  available?: boolean | undefined;
}

/** What it changes of variants, it changes of every variant. */
export interface ProductEdit extends VariantEdit {
  title?: string | undefined;
  status?: ProductStatus | undefined;
  /** on the online store */
  published?: boolean | undefined;
}

/** A variant with its product. */
export interface ProductVariant {
  product: StoreProduct;
  variant: StoreVariant;
}

export interface Collection {
  handle: string;
  title: string;
  products: StoreProduct[];
}

/** A product as a test describes it. */
export interface NewProduct {
  id: string | number;
  handle: string;
  title: string;
  variants: readonly {
    id: string | number;
    /** "Variant {id}" by default */
    title?: string;
    /** 1,000 by default */
    priceCents?: number;
    /** none by default */
    compareAtPriceCents?: number | null;
    /** true by default: 12 units, tracked, not sold without inventory */
    available?: boolean;
    /** by default what `available` says */
    inventory?: Partial<Omit<Inventory, "itemId">>;
  }[];
  /** true by default */
  hasPicture?: boolean;
  /** ACTIVE by default */
  status?: AnyStatus;
  /** on the online store, or from when; true by default */
  published?: boolean | Date;
}

/** The products that are published on the online store. */
interface PublishedProducts {
  /** products of collections and search results: without unlisted ones */
  listed: () => readonly StoreProduct[];
  byHandle: (handle: string) => StoreProduct | undefined;
  variant: (id: string) => ProductVariant | undefined;
  collections: () => Collection[];
}

export interface Catalog {
  /** in the shop's order, drafts included */
  all: () => readonly StoreProduct[];
  byId: (id: string) => StoreProduct | undefined;
  byHandle: (handle: string) => StoreProduct | undefined;
  variant: (id: string) => ProductVariant | undefined;
  published: PublishedProducts;
  /** Adds products, or replaces those with the same id. */
  put: (...products: NewProduct[]) => void;
  edit: (id: string, edit: ProductEdit) => StoreProduct | undefined;
  editVariant: (id: string, edit: VariantEdit) => ProductVariant | undefined;
  create: (title: string, priceCents: number, status?: ProductStatus) => StoreProduct;
  remove: (id: string) => StoreProduct | undefined;
  clear: () => void;
  /** Restores the initial products. */
  reset: () => void;
}

const DAY = 24 * 60 * 60 * 1000;

function fromSeed(product: SeedProduct, createdAt: Date): StoreProduct {
  const options = optionsOf(product.variants.map(({ title }) => title));
  return {
    id: product.productId,
    status: "ACTIVE",
    publishedAt: createdAt,
    handle: product.handle,
    title: product.title,
    vendor: product.vendor ?? "",
    productType: product.productType,
    hasPicture: true,
    options,
    variants: product.variants.map(({ variantId, title, priceCents, available }) => ({
      id: variantId,
      title,
      priceCents,
      compareAtPriceCents: null,
      inventory: newInventory(variantId, { quantity: available ? USUAL_QUANTITY : 0 }),
      options: title.split(" / "),
    })),
    createdAt,
    updatedAt: createdAt,
  };
}

function handleOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

function isPublished({ status, publishedAt }: StoreProduct): boolean {
  return (status === "ACTIVE" || status === "UNLISTED") && publishedAt !== null && publishedAt <= now();
}

function fromTest(given: NewProduct): StoreProduct {
  const { variants, status = "ACTIVE", published = true, hasPicture = true, ...product } = given;
  const since = new Date(now().getTime() - 120 * DAY);
  const shown = variants.map(
    ({ id, title = `Variant ${id}`, priceCents = 1_000, compareAtPriceCents = null, available = true, inventory }) => ({
      id: String(id),
      title,
      priceCents,
      compareAtPriceCents,
      inventory: newInventory(String(id), { quantity: available ? USUAL_QUANTITY : 0, ...inventory }),
      options: title.split(" / "),
    }),
  );
  return {
    ...product,
    id: String(product.id),
    status,
    publishedAt: published instanceof Date ? published : published ? since : null,
    vendor: "Larkfell",
    productType: "",
    hasPicture,
    options: optionsOf(shown.map(({ title }) => title)),
    variants: shown,
    createdAt: since,
    updatedAt: now(),
  };
}

function applyEdit(variant: StoreVariant, edit: VariantEdit): void {
  const { priceCents, compareAtPriceCents, quantity, tracked, policy, available } = edit;
  const { inventory } = variant;
  if (priceCents !== undefined) variant.priceCents = priceCents;
  if (compareAtPriceCents !== undefined) variant.compareAtPriceCents = compareAtPriceCents;
  if (quantity !== undefined) inventory.quantity = quantity;
  if (tracked !== undefined) inventory.tracked = tracked;
  if (policy !== undefined) inventory.policy = policy;
  if (available === true && !isAvailable(variant)) inventory.quantity = USUAL_QUANTITY;
  if (available === false)
    Object.assign(inventory, { tracked: true, quantity: Math.min(inventory.quantity, 0), policy: "DENY" });
}

/** @param seed the initial products */
export function createCatalog(seed: readonly SeedProduct[] = []): Catalog {
  const openedAt = new Date(now().getTime() - 120 * DAY);
  let products: StoreProduct[] = [];
  let created = 0;

  function reset(): void {
    // One minute apart, so that sorting by time is deterministic.
    products = seed.map((product, index) => fromSeed(product, new Date(openedAt.getTime() + index * 60_000)));
  }
  reset();

  const byId = (id: string) => products.find((product) => product.id === id);
  const byHandle = (handle: string) => products.find((product) => product.handle === handle);

  function freeHandle(title: string): string {
    const handle = handleOf(title) || "product";
    for (let number = 0; ; number++) {
      const wanted = number === 0 ? handle : `${handle}-${number}`;
      if (byHandle(wanted) === undefined) return wanted;
    }
  }

  function variantById(id: string): ProductVariant | undefined {
    for (const product of products) {
      const variant = product.variants.find((candidate) => candidate.id === id);
      if (variant !== undefined) return { product, variant };
    }
    return undefined;
  }

  const listed = () => products.filter((product) => isPublished(product) && product.status !== "UNLISTED");

  return {
    all: () => products,
    byId,
    byHandle,
    variant: variantById,
    published: {
      listed,
      byHandle: (handle) => products.find((product) => product.handle === handle && isPublished(product)),
      variant(id) {
        const found = variantById(id);
        return found && isPublished(found.product) ? found : undefined;
      },
      collections() {
        const types = [...new Set(listed().map(({ productType }) => productType))].filter((type) => type !== "");
        return types.map((title) => ({
          handle: handleOf(title),
          title,
          products: listed().filter(({ productType }) => productType === title),
        }));
      },
    },
    put(...added) {
      for (const product of added.map(fromTest)) {
        const index = products.findIndex(({ id }) => id === product.id);
        if (index === -1) products.push(product);
        else products[index] = product;
      }
    },
    clear() {
      products = [];
    },
    edit(id, { title, status, published, ...variantEdit }) {
      const product = byId(id);
      if (product === undefined) return undefined;
      if (title !== undefined) product.title = title;
      if (status !== undefined) product.status = status;
      if (published !== undefined) product.publishedAt = published ? (product.publishedAt ?? now()) : null;
      for (const variant of product.variants) applyEdit(variant, variantEdit);
      product.updatedAt = now();
      return product;
    },
    editVariant(id, edit) {
      const found = variantById(id);
      if (found === undefined) return undefined;
      applyEdit(found.variant, edit);
      found.product.updatedAt = now();
      return found;
    },
    create(title, priceCents, status = "ACTIVE") {
      created++;
      const variantId = String(43_999_000_000_000 + created);
      const product: StoreProduct = {
        id: String(8_399_000_000_000 + created),
        status,
        publishedAt: status === "DRAFT" ? null : now(),
        handle: freeHandle(title),
        title,
        vendor: "Larkfell",
        productType: "Accessories",
        hasPicture: true,
        options: optionsOf(["Default Title"]),
        variants: [
          {
            id: variantId,
            title: "Default Title",
            priceCents,
            compareAtPriceCents: null,
            inventory: newInventory(variantId),
            options: ["Default Title"],
          },
        ],
        createdAt: now(),
        updatedAt: now(),
      };
      products.push(product);
      return product;
    },
    remove(id) {
      const product = byId(id);
      products = products.filter((candidate) => candidate !== product);
      return product;
    },
    reset,
  };
}
