import { hash32 } from "./hash.ts";

/*
 * Ids come from what a thing is called, not from its place in a table or from the seed: a product added to the
 * catalogue later leaves every other id, and with it every link a developer has noted down, as it was.
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

/** 13 digits; by place, as another seed gives the same place another name */
export function customerIdOf(index: number): string {
  return String(FIRST_CUSTOMER_ID + hash32(`customer ${index}`));
}
