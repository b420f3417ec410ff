import { productionAddresses } from "../../../packages/devstore/foundation/addresses.ts";
import { optionsSchema } from "../../../packages/devstore/foundation/options.ts";
import type { NewProduct } from "../../../packages/devstore/store/catalog.ts";
import { createStore } from "../../../packages/devstore/store/store.ts";
import { renderProxyResponse } from "../../../packages/devstore/storefront/page.ts";

/**
 * Renders a Liquid response of the app proxy as a store does, without a layout.
 * @throws if the Liquid has an error
 */
export async function renderLiquid(
  liquid: string,
  { products, locale = "en" }: { products: readonly NewProduct[]; locale?: string },
): Promise<string> {
  const options = optionsSchema.parse({ locales: ["en", locale], renderLayout: (content: string) => content });
  const store = createStore(options, options.shop, "none");
  store.catalog.put(...products);
  const addresses = productionAddresses(store.shop.domain, options.appUrl);
  const html = await renderProxyResponse(
    store,
    {
      addresses,
      translation: { toLocal: (text) => text, toProduction: (text) => text },
      toLoopback: (text) => text,
      clientAddress: "203.0.113.9",
      locale,
      url: new URL("/apps/wishlist", addresses.storefront),
      customer: undefined,
      cart: store.carts.open(undefined),
    },
    liquid,
  );
  const error = store.journal.entries().find(({ kind }) => kind === "theme");
  if (error) throw new Error(error.summary);
  return html;
}
