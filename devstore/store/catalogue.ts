import { now } from "../../app/platform/clock.server.ts";
import type { SeedProduct, SeedShop } from "../../prisma/seed/model.ts";
import { optionsOf, type ProductOption } from "./product-options.ts";

export interface StoreVariant {
  id: string;
  title: string;
  priceCents: number;
  available: boolean;
  /** one value for each option of the product */
  options: string[];
}

export const STATUSES = ["ACTIVE", "UNLISTED", "DRAFT", "ARCHIVED"] as const;
export type ProductStatus = (typeof STATUSES)[number];

export interface StoreProduct {
  id: string;
  status: ProductStatus;
  /** on the online store; null when it is not published there */
  publishedAt: Date | null;
  handle: string;
  title: string;
  vendor: string;
  productType: string;
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

/** What the storefront shows. */
interface Shown {
  /** for lists and searches: without unlisted products */
  listed: () => readonly StoreProduct[];
  byHandle: (handle: string) => StoreProduct | undefined;
  /** with its product */
  variant: (id: string) => { product: StoreProduct; variant: StoreVariant } | undefined;
  collections: () => Collection[];
}

export interface Catalogue {
  /** in the shop's order, drafts included */
  all: () => readonly StoreProduct[];
  byId: (id: string) => StoreProduct | undefined;
  byHandle: (handle: string) => StoreProduct | undefined;
  /** with its product */
  variant: (id: string) => { product: StoreProduct; variant: StoreVariant } | undefined;
  /** products that are published on the online store */
  shown: Shown;
  /** Price and availability are set on every variant. */
  edit: (id: string, edit: ProductEdit) => StoreProduct | undefined;
  create: (title: string, priceCents: number, status?: ProductStatus) => StoreProduct;
  remove: (id: string) => StoreProduct | undefined;
  /** Undoes every edit. */
  reset: () => void;
}

const DAY = 24 * 60 * 60 * 1000;

function stocked(product: SeedProduct, createdAt: Date): StoreProduct {
  const options = optionsOf(product.variants.map(({ title }) => title));
  return {
    id: product.productId,
    status: "ACTIVE",
    publishedAt: createdAt,
    handle: product.handle,
    title: product.title,
    vendor: product.vendor ?? "",
    productType: product.productType,
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

function isShown({ status, publishedAt }: StoreProduct): boolean {
  return (status === "ACTIVE" || status === "UNLISTED") && publishedAt !== null && publishedAt <= now();
}

/** The seed's products, which can be edited until the process ends. */
export function createCatalogue(seed: SeedShop): Catalogue {
  const opened = new Date(now().getTime() - 120 * DAY);
  let products: StoreProduct[] = [];
  let created = 0;

  function reset(): void {
    // A minute apart, so that a list by time has one order.
    products = seed.products.map((product, place) => stocked(product, new Date(opened.getTime() + place * 60_000)));
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

  function variantById(id: string): ReturnType<Catalogue["variant"]> {
    for (const product of products) {
      const variant = product.variants.find((candidate) => candidate.id === id);
      if (variant !== undefined) return { product, variant };
    }
    return undefined;
  }

  const listed = () => products.filter((product) => isShown(product) && product.status !== "UNLISTED");

  return {
    all: () => products,
    byId,
    byHandle,
    variant: variantById,
    shown: {
      listed,
      byHandle: (handle) => products.find((product) => product.handle === handle && isShown(product)),
      variant(id) {
        const found = variantById(id);
        return found && isShown(found.product) ? found : undefined;
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
