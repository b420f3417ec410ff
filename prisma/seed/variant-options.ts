/** One value of an option, such as the size "M". */
export interface OptionValue {
  label: string;
  /** how often it is chosen, relative to the option's other values */
  share: number;
  /** added to the product's price, in euro cents */
  extraCents: number;
}

/** An option of a product, such as size, colour or volume. */
export type Option = readonly OptionValue[];

const value = (label: string, share: number, extraCents = 0): OptionValue => ({ label, share, extraCents });

/** Relative frequency of the first colour, the second and so on. */
const COLOUR_SHARES = [100, 66, 44, 30];

/** Up to four colours at the same price, the most popular first. */
export function colours(...labels: string[]): Option {
  return labels.map((label, index) => value(label, COLOUR_SHARES[index] ?? 0));
}

/** Grades with increasing prices: label, share, extra cents. */
export function grades(...values: [label: string, share: number, extraCents: number][]): Option {
  return values.map(([label, share, extraCents]) => value(label, share, extraCents));
}

/** For clothes in two colours: six variants in total. */
export const SIZES_S_TO_L: Option = [value("S", 25), value("M", 42), value("L", 33)];

/** For clothes in one colour. */
export const SIZES_XS_TO_XL: Option = [value("XS", 8), value("S", 22), value("M", 34), value("L", 25), value("XL", 11)];

export const SHOES_36_TO_41: Option = [
  value("EU 36", 7),
  value("EU 37", 15),
  value("EU 38", 25),
  value("EU 39", 27),
  value("EU 40", 18),
  value("EU 41", 8),
];

export const SHOES_41_TO_46: Option = [
  value("EU 41", 12),
  value("EU 42", 23),
  value("EU 43", 27),
  value("EU 44", 21),
  value("EU 45", 12),
  value("EU 46", 5),
];

export const BACK_LENGTHS: Option = [value("S/M", 45), value("M/L", 55)];

export const BAG_LENGTHS: Option = [value("Regular", 70), value("Long", 30, 20_00)];

export const ZIP_SIDES: Option = [value("Left zip", 60), value("Right zip", 40)];
