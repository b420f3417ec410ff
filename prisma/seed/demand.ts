import type { StockedProduct } from "./catalog.ts";
import type { Popularity } from "./product-table.ts";
import { randomStream } from "./random.ts";
import type { Random } from "./random.ts";

/** A variant that someone may save. Its `place` in the list of all choices is its short name. */
export interface Choice {
  index: number;
  productId: string;
  variantId: string;
  productType: string;
  /** How often it is wanted, relative to the others */
  weight: number;
  /** All variants of the same product, this one included */
  siblings: readonly Choice[];
}

/** How often a product of each pull is wanted, relative to the others: from, to. */
const POPULARITY_WEIGHTS: Record<Popularity, readonly [min: number, max: number]> = {
  loved: [22, 80],
  liked: [2, 11],
  quiet: [0.3, 1.8],
  ignored: [0, 0],
};

/** What the newsletter was about, and how much more its readers wanted that. */
const CAMPAIGN_TYPE = "Tents";
const CAMPAIGN_BOOST = 4;

const FAVOURITE_TYPE_BOOST = 3;
/** Most people save a product in one variant only. */
const SAME_PRODUCT_FACTOR = 0.06;
/** Few save again what they have removed. */
const RESAVE_FACTOR = 0.1;

export function weighChoices(products: readonly StockedProduct[], seed: number): Choice[] {
  const random = randomStream(seed, "popularity");
  const choices: Choice[] = [];
  for (const { productId, productType, popularity: pull, variants } of products) {
    const wanted = random.between(...POPULARITY_WEIGHTS[pull]);
    const siblings: Choice[] = [];
    for (const { variantId, share } of variants) {
      const index = choices.length + siblings.length;
      siblings.push({ index: index, productId, variantId, productType, weight: wanted * share, siblings });
    }
    choices.push(...siblings);
  }
  return choices;
}

/** One customer's wishlist as it fills and empties. */
export interface Wishlist {
  /**
   * Saves something that is not saved, after this customer's taste, and tells what; undefined when all is saved.
   * `onlyNew` leaves out what was ever saved before.
   */
  save(options: { campaign: boolean; onlyNew: boolean }): Choice | undefined;
  /** Removes what is saved. */
  remove(choice: Choice): void;
  isEmpty(): boolean;
}

/** An empty wishlist of a customer who has a taste for some kinds of goods. */
export function openWishlist(choices: readonly Choice[], random: Random): Wishlist {
  const types = [...new Set(choices.map(({ productType }) => productType))];
  const favourites = new Set(random.shuffle(types).slice(0, random.integer(1, 4)));
  const tastes = choices.map(({ weight, productType }) =>
    favourites.has(productType) ? weight * FAVOURITE_TYPE_BOOST : weight,
  );
  const saved = new Set<number>();

  // What the customer wants now, by place, on an ordinary day and during the campaign. Kept up to date product by
  // product: working out every weight anew for each item saved would be most of the time that the seed takes.
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
