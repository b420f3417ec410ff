import { ACCESS_FAILURES } from "../access/failures.ts";
import { BILLING_FAILURES } from "../billing/failures.ts";
import { CATALOG_FAILURES } from "../catalog/failures.ts";
import { CHANGE_FAILURES } from "../changes/failures.ts";
import { CONTACT_FAILURES } from "../contacts/failures.ts";
import { COMMON_FAILURES, type FailureCode, type FailureDefinition } from "../platform/failure.ts";
import { SHOPPER_TOKEN_FAILURES } from "../shopper-tokens/failures.ts";
import { STOREFRONT_FAILURES } from "../storefront/failures.ts";
import { WEBHOOK_FAILURES } from "../webhooks/failures.ts";
import { WISHLIST_FAILURES } from "../wishlists/failures.ts";
import { HTTP_FAILURES } from "./failures.ts";

/** All error codes of the service. The type check fails when the codes of a feature are missing here. */
export const FAILURES = {
  ...COMMON_FAILURES,
  ...HTTP_FAILURES,
  ...ACCESS_FAILURES,
  ...BILLING_FAILURES,
  ...CATALOG_FAILURES,
  ...WISHLIST_FAILURES,
  ...CHANGE_FAILURES,
  ...CONTACT_FAILURES,
  ...WEBHOOK_FAILURES,
  ...SHOPPER_TOKEN_FAILURES,
  ...STOREFRONT_FAILURES,
} as const satisfies Record<FailureCode, FailureDefinition>;

/** A code that /v1 returns: its feature publishes a meaning. */
export type PublishedCode = {
  [Code in FailureCode]: (typeof FAILURES)[Code] extends { meaning: string } ? Code : never;
}[FailureCode];

export function statusOf(code: FailureCode): number {
  return FAILURES[code].status;
}

export function isFailureCode(text: unknown): text is FailureCode {
  return typeof text === "string" && Object.hasOwn(FAILURES, text);
}
