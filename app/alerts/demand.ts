/** Price drops in percent whose reach the admin shows. */
export const DEMAND_PERCENTS = [5, 10, 20, 30] as const;

export type DemandPercent = (typeof DEMAND_PERCENTS)[number];

/** Customers who saved a variant, and for whom a price would be a price drop. */
export interface Reach {
  customers: number;
  /** of these, those who asked for alerts of price drops */
  consented: number;
}

export interface VariantDemand {
  variantId: string;
  /** null when the catalog has no title */
  title: string | null;
  /** the price now */
  price: string;
  /** by percent */
  reach: Record<DemandPercent, Reach>;
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
