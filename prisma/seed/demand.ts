import type { StockedProduct } from "./catalog.ts";
import type { Popularity } from "./product-table.ts";
import { randomStream } from "./random.ts";
import type { Random } from "./random.ts";

/** A variant that shoppers may save. */
export interface Choice {
  index: number;
  productId: string;
  variantId: string;
  productType: string;
  /** how often it is saved, relative to the others */
  weight: number;
  /** all variants of the same product, including this one */
  siblings: readonly Choice[];
}

/** Range of the weights of products of each popularity. */
const POPULARITY_WEIGHTS: Record<Popularity, readonly [min: number, max: number]> = {
  loved: [22, 80],
  liked: [2, 11],
  quiet: [0.3, 1.8],
  ignored: [0, 0],
};

/** Product type of the newsletter, and the factor by which its readers prefer it. */
const CAMPAIGN_TYPE = "Tents";
const CAMPAIGN_BOOST = 4;

const FAVOURITE_TYPE_BOOST = 3;
/** Factor for further variants of a saved product: most shoppers save one variant only. */
const SAME_PRODUCT_FACTOR = 0.06;
/** Factor for removed items, which few shoppers save again. */
const RESAVE_FACTOR = 0.1;

export function weighChoices(products: readonly StockedProduct[], seed: number): Choice[] {
  const random = randomStream(seed, "popularity");
  const choices: Choice[] = [];
  for (const { productId, productType, popularity: pull, variants } of products) {
    const wanted = random.between(...POPULARITY_WEIGHTS[pull]);
    const siblings: Choice[] = [];
    for (const { variantId, share } of variants) {
      const index = choices.length + siblings.length;
      siblings.push({ index, productId, variantId, productType, weight: wanted * share, siblings });
    }
    choices.push(...siblings);
  }
  return choices;
}

/** The simulated wishlist of one customer. */
export interface Wishlist {
  /**
   * Saves an item by this customer's preferences and returns it, or undefined when all are saved.
   * `onlyNew` skips items that were saved before.
   */
  save(options: { campaign: boolean; onlyNew: boolean }): Choice | undefined;
  /** Removes a saved item. */
  remove(choice: Choice): void;
  isEmpty(): boolean;
}

/** Creates an empty wishlist of a customer who prefers some product types. */
export function openWishlist(choices: readonly Choice[], random: Random): Wishlist {
  const types = [...new Set(choices.map(({ productType }) => productType))];
  const favourites = new Set(random.shuffle(types).slice(0, random.integer(1, 4)));
  const tastes = choices.map(({ weight, productType }) =>
    favourites.has(productType) ? weight * FAVOURITE_TYPE_BOOST : weight,
  );
  const saved = new Set<number>();

  // The current weights by index, on ordinary days and during the campaign. Updated per product, because recomputing all
  // weights for each saved item would take most of the generator's time.
  const ordinary = [...tastes];
  const inCampaign = tastes.map((taste, index) =>
    choices[index]?.productType === CAMPAIGN_TYPE ? taste * CAMPAIGN_BOOST : taste,
  );
  const everSaved = new Set<number>();
  const refresh = (siblings: readonly Choice[]): void => {
    const productSaved = siblings.some(({ index: index }) => saved.has(index));
    for (const { index: index, productType } of siblings) {
      let weight = saved.has(index) ? 0 : (tastes[index] ?? 0);
      if (productSaved) weight *= SAME_PRODUCT_FACTOR;
      if (everSaved.has(index)) weight *= RESAVE_FACTOR;
      ordinary[index] = weight;
      inCampaign[index] = productType === CAMPAIGN_TYPE ? weight * CAMPAIGN_BOOST : weight;
    }
  };

  return {
    isEmpty: () => saved.size === 0,
    save: ({ campaign, onlyNew }) => {
      const wanted = campaign ? inCampaign : ordinary;
      const weights = onlyNew ? wanted.map((weight, index) => (everSaved.has(index) ? 0 : weight)) : wanted;
      const choice = choices[random.weightedIndex(weights) ?? -1];
      if (choice === undefined) return undefined;
      saved.add(choice.index);
      everSaved.add(choice.index);
      refresh(choice.siblings);
      return choice;
    },
    remove: (choice) => {
      saved.delete(choice.index);
      refresh(choice.siblings);
    },
  };
}
