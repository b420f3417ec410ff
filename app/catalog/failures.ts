import { Failure } from "../platform/failure.ts";

/** Seconds after which a catalogue that can't answer now may be asked again. */
const RETRY_AFTER = 5;

export function notConnected(): Failure {
  return new Failure(
    "catalog_not_connected",
    "This shop has no catalogue connection, so the default variant is not known. Send `variant_id` as well (`variantId` in a merge).",
  );
}

export function unavailable(): Failure {
  return new Failure(
    "catalog_unavailable",
    "The shop's catalogue can't be asked right now. Try again, or send `variant_id` as well.",
    { retryAfter: RETRY_AFTER },
  );
}

export function tooManyLookups(retryAfter: number): Failure {
  return new Failure(
    "rate_limited",
    `Too many products that are not in the catalog cache had to be looked up. Try again in ${retryAfter} s, or send \`variant_id\` as well (\`variantId\` in a merge).`,
    { retryAfter },
  );
}
