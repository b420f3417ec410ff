import type { z } from "zod";
import { operations } from "../contacts/index.server.ts";
import { Failure } from "../platform/failure.ts";
import type { Shopper } from "./identity.server.ts";
import { inBody, perform } from "./operations.server.ts";
import type { askBody, withdrawBody } from "./schemas.ts";

const camelCase = (path: string): string => path.replaceAll(/_(\w)/g, (_, first: string) => first.toUpperCase());

/** Asks for an alert about a variant: a customer's is on at once, and the owner of an address gets an email to confirm it. */
export async function askForAlert(
  shopper: Shopper,
  { productId: product_id, variantId: variant_id, targetPrice: target_price, ...rest }: z.output<typeof askBody>,
): Promise<{ state: "active" | "confirm" } | Failure> {
  const done = await perform(operations.createAlertRequest, shopper, { product_id, variant_id, target_price, ...rest });
  return done instanceof Failure ? inBody(done, camelCase) : done;
}

/** Withdraws what the customer has asked for of a variant, or of a product. */
export function withdrawAlert(
  shopper: Shopper,
  { variantId: variant_id, ...rest }: z.output<typeof withdrawBody>,
): Promise<{ withdrawn: number } | Failure> {
  return perform(operations.removeAlertRequests, shopper, { variant_id, ...rest });
}
