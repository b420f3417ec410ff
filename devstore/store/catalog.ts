import { now } from "../../app/platform/clock.server.ts";
import type { SeedProduct } from "../../prisma/seed/model.ts";
import { optionsOf, type ProductOption } from "./product-options.ts";

export interface StoreVariant {
  id: string;
  title: string;
  priceCents: number;
  compareAtPriceCents?: number;
  available: boolean;
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

export interface ProductEdit {
  title?: string | undefined;
  priceCents?: number | undefined;
  available?: boolean | undefined;
  status?: ProductStatus | undefined;
  /** on the online store */
  published?: boolean | undefined;
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
    compareAtPriceCents?: number;
    /** true by default */
    available?: boolean;
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
  /** with its product */
  variant: (id: string) => { product: StoreProduct; variant: StoreVariant } | undefined;
  collections: () => Collection[];
}

export interface Catalog {
  /** in the shop's order, drafts included */
  all: () => readonly StoreProduct[];
  byId: (id: string) => StoreProduct | undefined;
  byHandle: (handle: string) => StoreProduct | undefined;
  /** with its product */
  variant: (id: string) => { product: StoreProduct; variant: StoreVariant } | undefined;
  published: PublishedProducts;
  /** Adds products, or replaces those with the same id. */
  put: (...products: NewProduct[]) => void;
  /** Changes a product; price and availability are those of every variant. */
  edit: (id: string, edit: ProductEdit) => StoreProduct | undefined;
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
      available,
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
  const shown = variants.map(({ id, title = `Variant ${id}`, priceCents = 1_000, available = true, ...variant }) => ({
    ...variant,
    id: String(id),
    title,
    priceCents,
    available,
    options: title.split(" / "),
  }));
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

/** @param seed the initial products */
export function createCatalog(seed: readonly SeedProduct[] = []): Catalog {
  const openedAt = new Date(now().getTime() - 120 * DAY);
  let products: StoreProduct[] = [];
  let created = 0;

  function reset(): void {
    // One minute apart, so that sorting by time is deterministic.
    products = seed.map((product, place) => fromSeed(product, new Date(openedAt.getTime() + place * 60_000)));
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

  function variantById(id: string): ReturnType<Catalog["variant"]> {
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
        const place = products.findIndex(({ id }) => id === product.id);
        if (place === -1) products.push(product);
        else products[place] = product;
      }
    },
    clear() {
      products = [];
    },
    edit(id, { title, priceCents, available, status, published }) {
      const product = byId(id);
      if (product === undefined) return undefined;
      if (title !== undefined) product.title = title;
      if (status !== undefined) product.status = status;
      if (published !== undefined) product.publishedAt = published ? (product.publishedAt ?? now()) : null;
      for (const variant of product.variants) {
        if (priceCents !== undefined) variant.priceCents = priceCents;
        if (available !== undefined) variant.available = available;
      }
      product.updatedAt = now();
      return product;
    },
    create(title, priceCents, status = "ACTIVE") {
      created++;
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
            id: String(43_999_000_000_000 + created),
            title: "Default Title",
            priceCents,
            available: true,
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
