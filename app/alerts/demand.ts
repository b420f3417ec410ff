/** Price drops in percent whose reach the admin shows. */
export const DEMAND_PERCENTS = [5, 10, 15, 20, 25, 30, 40, 50] as const;

/** A lower price of a variant, and the customers who saved it or asked for it for whom it would be a price drop. */
export interface DemandPoint {
  /** how much lower it is */
  percent: number;
  /** with the decimals of the shop's currency */
  price: string;
  customers: number;
  /** of these, those who asked for alerts of price drops, or for this one */
  consented: number;
}

export interface VariantDemand {
  variantId: string;
  /** null when the catalog has no title */
  title: string | null;
  /** the price now */
  price: string;
  /** highest price first, each price once */
  points: DemandPoint[];
  /** whether more items have the variant than were counted */
  more: boolean;
}

/** Whom a price drop of a product would reach. */
export interface PriceDropDemand {
  /** those that can be bought, the most saved first */
  variants: VariantDemand[];
  /** whether customers must have asked for alerts */
  needsConsent: boolean;
  /** whether the shop sends alerts of price drops */
  isOn: boolean;
}
