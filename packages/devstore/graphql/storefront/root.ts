import { amountOf } from "../../foundation/currency.ts";
import { gid, parseGid } from "../../foundation/gid.ts";
import type { StoreProduct } from "../../store/catalog.ts";
import { isAvailable } from "../../store/inventory.ts";
import type { Store } from "../../store/store.ts";
import { connection, nodesOf } from "../connections.ts";
import { badUserInput } from "../problems.ts";
import {
  productFields,
  productPosition,
  showImage,
  variantPosition,
  variantsOf,
  type Listing,
  type VariantOfProduct,
} from "../products.ts";
import { search } from "../search.ts";

const colorGroup = (background: string) => ({ background, foreground: null });

/** Returns the resolvers of QueryRoot: the products that are published on the online store. @param cdn origin of the pictures */
export function storefrontRoot(store: Store, cdn: string) {
  const { shop, catalog } = store;
  const price = (cents: number) => ({ amount: amountOf(cents, shop.currency), currencyCode: shop.currency });

  function showVariant({ product, variant }: VariantOfProduct) {
    const { compareAtPriceCents } = variant;
    return {
      __typename: "ProductVariant",
      id: gid("ProductVariant", variant.id),
      title: variant.title,
      sku: `LF-${variant.id.slice(-6)}`,
      availableForSale: isAvailable(variant),
      price: price(variant.priceCents),
      compareAtPrice: compareAtPriceCents === null ? null : price(compareAtPriceCents),
      selectedOptions: product.options.map(({ name }, index) => ({ name, value: variant.options[index] ?? "" })),
      image: showImage(product, cdn),
      product: () => showProduct(product),
    };
  }

  function showProduct(product: StoreProduct) {
    const prices = product.variants.map(({ priceCents }) => priceCents);
    const image = showImage(product, cdn);
    const text = `${product.title} by ${product.vendor}.`;
    return {
      __typename: "Product",
      id: gid("Product", product.id),
      handle: product.handle,
      title: product.title,
      description: ({ truncateAt }: { truncateAt?: number | null }) => text.slice(0, truncateAt ?? text.length),
      descriptionHtml: "",
      vendor: product.vendor,
      productType: product.productType,
      tags: [],
      availableForSale: product.variants.some(isAvailable),
      createdAt: product.createdAt.toISOString(),
      updatedAt: product.updatedAt.toISOString(),
      publishedAt: product.publishedAt?.toISOString(),
      onlineStoreUrl: `https://${shop.domain}/products/${product.handle}`,
      featuredImage: image,
      images: (page: Listing) =>
        connection(
          image === null ? [] : [image],
          page,
          ({ id }) => ({ id, value: id }),
          (one) => one,
        ),
      options: ({ first }: { first?: number | null }) =>
        product.options.slice(0, first ?? undefined).map(({ name, values }, place) => ({
          id: gid("ProductOption", `${product.id}${place + 1}`),
          name,
          values,
          optionValues: values.map((value, index) => ({
            id: gid("ProductOptionValue", `${product.id}${place + 1}${index + 1}`),
            name: value,
          })),
        })),
      priceRange: { minVariantPrice: price(Math.min(...prices)), maxVariantPrice: price(Math.max(...prices)) },
      variants: (page: Listing) => connection(variantsOf(product), page, variantPosition("POSITION"), showVariant),
    };
  }

  function node(id: string): object | null {
    const read = parseGid(id);
    if (read === undefined) throw badUserInput(`Invalid global id '${id}'`);
    switch (read.type) {
      case "Product": {
        const product = catalog.published.byHandle(catalog.byId(read.id)?.handle ?? "");
        return product === undefined ? null : showProduct(product);
      }
      case "ProductVariant": {
        const found = catalog.published.variant(read.id);
        const one = found && variantsOf(found.product).find(({ variant }) => variant === found.variant);
        return one === undefined ? null : showVariant(one);
      }
      case "Shop":
        return read.id === shop.id ? showShop() : null;
      default:
        return null;
    }
  }

  function showBrand() {
    if (shop.brand === null) return null;
    const { logoUrl, primary, secondary } = shop.brand;
    return {
      logo: logoUrl === null ? null : { image: { url: logoUrl } },
      squareLogo: null,
      colors: { primary: primary.map(colorGroup), secondary: secondary.map(colorGroup) },
    };
  }

  const showShop = () => ({
    __typename: "Shop",
    id: gid("Shop", shop.id),
    name: shop.name,
    description: null,
    brand: showBrand,
  });

  return {
    shop: showShop,
    product({ id, handle }: { id?: string | null; handle?: string | null }) {
      if (id) return parseGid(id)?.type === "Product" ? node(id) : null;
      const product = catalog.published.byHandle(handle ?? "");
      return product === undefined ? null : showProduct(product);
    },
    products({ query, sortKey, ...page }: Listing) {
      const found = search(catalog.published.listed(), query, productFields);
      return connection(found, page, productPosition(sortKey), showProduct);
    },
    node: ({ id }: { id: string }) => node(id),
    nodes: ({ ids }: { ids: string[] }) => nodesOf(ids, node),
  };
}
