import type { Addresses } from "../foundation/addresses.ts";
import { amountOf } from "../foundation/currency.ts";
import { gid } from "../foundation/gid.ts";
import { isAvailable } from "../store/inventory.ts";
import { createSessionToken } from "../store/session-tokens.ts";
import { picturePath } from "../foundation/product-pictures.ts";
import { blocksIn, readBlocks } from "../store/theme-extension.ts";
import type { Store } from "../store/store.ts";
import { scopesDetail } from "./scopes.ts";

const THEME = gid("OnlineStoreTheme", "130000000001");

/** Returns the result of `shopify.app.extensions()`: the blocks and where they are active. */
function extensions(store: Store) {
  const inProducts = new Set(blocksIn(store, "product").map(({ handle }) => handle));
  return [
    {
      handle: "wishlist-theme",
      type: "theme_app_extension",
      activations: readBlocks(store.options.extension).map(({ handle, schema }) => {
        const on = store.blockPlacements.isOn(handle);
        const target =
          schema.target === "section"
            ? inProducts.has(handle)
              ? "template--product__main"
              : "template--page__main"
            : "theme";
        return {
          target: schema.target,
          handle,
          name: schema.name,
          status: on ? "active" : "available",
          activations: on ? [{ target, themeId: THEME }] : [],
        };
      }),
    },
  ];
}

/** Returns the products in the resource picker's format. */
function products(store: Store, { cdn }: Addresses) {
  return store.catalog.all().map((product) => ({
    id: gid("Product", product.id),
    title: product.title,
    handle: product.handle,
    vendor: product.vendor,
    productType: product.productType,
    status: "ACTIVE",
    hasOnlyDefaultVariant: product.variants.length === 1,
    totalVariants: product.variants.length,
    images: product.hasPicture
      ? [{ id: gid("ProductImage", product.id), altText: product.title, originalSrc: cdn + picturePath(product) }]
      : [],
    options: product.options.map(({ name, values }, index) => ({ id: `${index}`, name, position: index + 1, values })),
    variants: product.variants.map((variant) => ({
      id: gid("ProductVariant", variant.id),
      title: variant.title,
      displayName: `${product.title} - ${variant.title}`,
      price: amountOf(variant.priceCents, store.shop.currency),
      availableForSale: isAvailable(variant),
      image: null,
      product: { id: gid("Product", product.id), title: product.title, handle: product.handle },
    })),
  }));
}

/** Handles the admin page's requests on behalf of App Bridge. */
export async function bridge(store: Store, addresses: Addresses, name: string): Promise<Response> {
  const noStore = { headers: { "cache-control": "no-store" } };
  if (!store.installation.installed) return Response.json({ error: "the app is not installed" }, { status: 403 });
  switch (name) {
    case "idToken":
      return Response.json(createSessionToken(store), noStore);
    case "extensions":
      return Response.json(extensions(store), noStore);
    case "user":
      return Response.json({ accountAccess: "Full access" }, noStore);
    case "scopes":
      return Response.json(scopesDetail(store), noStore);
    case "products":
      return Response.json(products(store, addresses), noStore);
    default:
      return new Response("Not Found", { status: 404 });
  }
}
