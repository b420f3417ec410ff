import { hash32 } from "./hash.ts";

/*
 * Ids are hashes of names, independent of the order in a table and of the seed, so that adding a product does not change other
 * ids or developers' saved links.
 */

const FIRST_PRODUCT_ID = 8_400_000_000_000;
const FIRST_VARIANT_ID = 44_000_000_000_000;
const FIRST_CUSTOMER_ID = 6_900_000_000_000;

/** 13 digits */
export function productIdOf(handle: string): string {
  return String(FIRST_PRODUCT_ID + hash32(`product ${handle}`));
}

/** 14 digits */
export function variantIdOf(handle: string, variantTitle: string): string {
  return String(FIRST_VARIANT_ID + hash32(`variant ${handle} ${variantTitle}`));
}

/** 13 digits; by index, because names depend on the seed */
export function customerIdOf(index: number): string {
  return String(FIRST_CUSTOMER_ID + hash32(`customer ${index}`));
}
