import { Failure, type FailureDefinitions } from "../platform/failure.ts";

export const CATALOG_FAILURES = {
  product_not_found: {
    status: 404,
    meaning: "The shop has no such product, so its default variant is unknown.",
    message: productNotFoundMessage("8401930311165"),
  },
  catalog_not_connected: {
    status: 409,
    meaning: "The shop's catalog is not connected, so default variants are unknown. Send the variant.",
    message:
      "This shop's catalog is not connected, so the default variant is unknown. Send `variant_id` as well (`variantId` in a merge).",
  },
  catalog_unavailable: {
    status: 503,
    meaning: "The shop's catalog is unavailable right now. Nothing was changed.",
    message: "The shop's catalog is unavailable right now. Try again, or send `variant_id` as well.",
  },
} as const satisfies FailureDefinitions;

declare module "../platform/failure.ts" {
  interface FailuresByFeature {
    catalog: typeof CATALOG_FAILURES;
  }
}

/** Seconds after which a caller may retry while the catalog is unavailable. */
const RETRY_AFTER = 5;

function productNotFoundMessage(productId: string): string {
  return `The shop has no product ${productId}. Check the id, or send \`variant_id\` to save it unchecked.`;
}

export function productNotFound(productId: string): Failure {
  return new Failure("product_not_found", productNotFoundMessage(productId));
}

export function notConnected(): Failure {
  return new Failure("catalog_not_connected", CATALOG_FAILURES.catalog_not_connected.message);
}

export function unavailable(): Failure {
  return new Failure("catalog_unavailable", CATALOG_FAILURES.catalog_unavailable.message, { retryAfter: RETRY_AFTER });
}

export function tooManyLookups(retryAfter: number): Failure {
  return new Failure(
    "rate_limited",
    `Too many products that are not in the catalog cache were looked up. Try again in ${retryAfter} s, or send \`variant_id\` as well (\`variantId\` in a merge).`,
    { retryAfter },
  );
}
