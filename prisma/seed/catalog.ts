import { CATEGORIES } from "./product-table.ts";
import type { ProductLine, Popularity } from "./product-table.ts";
import type { SeedProduct, SeedVariant } from "./model.ts";
import { productIdOf, variantIdOf } from "./shopify-ids.ts";
import type { OptionValue } from "./variant-options.ts";

/** A variant with the share of its product's shoppers who choose it. The shares of a product add up to 1. */
export interface StockedVariant extends SeedVariant {
  share: number;
}

/** A product with its popularity, which only the generator needs. */
export interface StockedProduct extends SeedProduct {
  popularity: Popularity;
  variants: StockedVariant[];
}

/** Builds all products. They depend on neither the seed nor the time. */
export function buildCatalog(): StockedProduct[] {
  return CATEGORIES.flatMap(({ productType, products }) => products.map((line) => stockProduct(productType, line)));
}

/** Removes the fields that only the generator needs. */
export function withoutDemand(product: StockedProduct): SeedProduct {
  const { popularity: _pull, variants, ...shown } = product;
  return { ...shown, variants: variants.map(({ share: _share, ...variant }) => variant) };
}

function stockProduct(productType: string, line: ProductLine): StockedProduct {
  const handle = handleOf(line.title);
  const variants = combinations(line);
  const titles = variants.map(titleOf);
  const { soldOut = [] } = line;
  for (const title of soldOut === "all" ? [] : soldOut) {
    // Without this check, a typing error in the table would leave the variant in stock.
    if (!titles.includes(title)) throw new Error(`${line.title} has no variant "${title}" that could be sold out`);
  }

  const shares = variants.map((values) => values.reduce((share, value) => share * value.share, 1));
  const allShares = shares.reduce((sum, share) => sum + share, 0);

  return {
    productId: productIdOf(handle),
    handle,
    title: line.title,
    vendor: line.vendor,
    productType,
    popularity: line.popularity ?? "quiet",
    variants: variants.map((values, index) => {
      const title = titleOf(values);
      return {
        variantId: variantIdOf(handle, title),
        title,
        priceCents: values.reduce((cents, value) => cents + value.extraCents, line.cents),
        available: soldOut !== "all" && !soldOut.includes(title),
        share: (shares[index] ?? 0) / allShares,
      };
    }),
  };
}

/** Returns all combinations of option values, in the options' order; a single empty one for a product without options. */
function combinations({ options = [] }: ProductLine): OptionValue[][] {
  return options.reduce<OptionValue[][]>(
    (variants, option) => variants.flatMap((values) => option.map((value) => [...values, value])),
    [[]],
  );
}

function titleOf(values: readonly OptionValue[]): string {
  return values.map(({ label }) => label).join(" / ") || "Default Title";
}

/** Makes a handle like Shopify's: lower case, without apostrophes, other characters replaced by hyphens. */
function handleOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll("'", "")
    .replaceAll(/[^a-z0-9]+/g, "-");
}
