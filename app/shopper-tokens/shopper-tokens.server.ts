import { z } from "zod";
import { grantsScope, issueStorefrontToken, type Caller } from "../access/index.server.ts";
import { ACCESS_FAILURES } from "../access/failures.ts";
import { identifyCustomer } from "../customers/index.server.ts";
import { Failure } from "../platform/failure.ts";
import { guestOwner, mergeGuest, recordGuestUse } from "../wishlists/index.server.ts";
import { guestIdSchema } from "../storefront/guest-id.ts";
import { SHOPPER_TOKEN_FAILURES } from "./failures.ts";

/** The most characters of a customer's access token; Shopify's are shorter. */
const MAX_ACCESS_TOKEN = 4_096;
/** Seconds after which a caller may retry while Shopify can't be asked. */
const RETRY_AFTER = 2;

export const storefrontTokenBody = z
  .strictObject({
    publishable_key: z.string().min(1, "must not be empty").max(255).meta({
      description: "A publishable key of the shop; the request's `Origin` must be one of the key's",
      example: "wlp_…",
    }),
    guest_id: guestIdSchema.optional().meta({
      description:
        "22 to 64 letters, digits, `-` or `_` with at least 128 random bits, which the browser makes once and keeps. It is the guest's only credential. Next to a customer's token: the guest whose lists are merged into the customer's",
      example: "pV1yHn5mT0cQx8KfZr3J2w",
    }),
    customer_access_token: z
      .string()
      .regex(/^[\x21-\x7e]+$/, "must be an access token of the Customer Account API")
      .max(MAX_ACCESS_TOKEN)
      .optional()
      .meta({
        description:
          "The customer's access token of Shopify's Customer Account API. Only a hash of it is kept, for a minute",
        example: "shcat_0f5Qb2mN8yV3xK7wZ1tR6s",
      }),
  })
  .refine((body) => body.guest_id !== undefined || body.customer_access_token !== undefined, {
    error: "needs guest_id or customer_access_token",
  })
  .meta({ id: "StorefrontTokenExchange" });

const mergeSchema = z.union([
  z.strictObject({
    merged: z.literal(true),
    addedCount: z.int().meta({ description: "Items that the customer had not saved before", example: 2 }),
    itemCount: z.int().meta({ description: "Items in the customer's default list", example: 5 }),
  }),
  z.strictObject({
    merged: z.literal(false),
    code: z.string().meta({ description: "Why nothing was merged", example: "wishlist_full" }),
    message: z.string(),
  }),
]);

export const storefrontTokenSchema = z
  .strictObject({
    token: z
      .string()
      .meta({ description: "Bearer token (JWT)", example: "eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6Ij…" }),
    expiresIn: z
      .int()
      .meta({ description: "Seconds until the token expires: 3600 for a guest, 900 for a customer", example: 3600 }),
    owner: z.enum(["guest", "customer"]).meta({ description: "Whose lists `/v1/wishlists/me` is", example: "guest" }),
    merge: mergeSchema.optional().meta({
      description: "With `guest_id` and `customer_access_token`: what became of the guest's lists",
      example: { merged: true, addedCount: 2, itemCount: 5 },
    }),
  })
  .meta({ id: "StorefrontToken" });

/**
 * Issues a token for a shopper of a headless storefront. A customer is who Shopify says, never whom the request names.
 * @returns `guest_lists_off`, `invalid_publishable_key` for a key that was revoked meanwhile, `invalid_customer_token`, `customer_accounts_unavailable`
 */
export async function storefrontToken(
  key: Caller,
  { guest_id: guestId, customer_access_token: accessToken }: z.output<typeof storefrontTokenBody>,
): Promise<z.infer<typeof storefrontTokenSchema> | Failure> {
  const guest = guestId === undefined ? undefined : guestOwner(key.shopId, guestId);
  if (accessToken === undefined) {
    if (!guest) throw new Error("the body's schema requires a guest or a customer");
    if (!key.guestLists) return new Failure("guest_lists_off", ACCESS_FAILURES.guest_lists_off.message);
    // Whoever reads or changes the guest's lists through /v1 has exchanged a token within the hour.
    await recordGuestUse(guest);
    return { ...(await issueStorefrontToken(key, { kind: "guest", id: guest.id })), owner: "guest" };
  }
  const verdict = await identifyCustomer(key.shop, accessToken);
  if (verdict === "rejected") {
    return new Failure("invalid_customer_token", SHOPPER_TOKEN_FAILURES.invalid_customer_token.message);
  }
  if (verdict === "unavailable") {
    const { message } = SHOPPER_TOKEN_FAILURES.customer_accounts_unavailable;
    return new Failure("customer_accounts_unavailable", message, { retryAfter: RETRY_AFTER });
  }
  // The request to Shopify takes up to seconds, in which the key may have been revoked.
  if (!(await grantsScope(key.client.id, "write_wishlists"))) {
    return new Failure("invalid_publishable_key", ACCESS_FAILURES.invalid_publishable_key.message);
  }
  const { customerId } = verdict;
  const merged = guest && (await mergeGuest(guest, { shopId: key.shopId, kind: "customer", id: customerId }));
  const issued = await issueStorefrontToken(key, { kind: "customer", id: customerId });
  if (merged === undefined) return { ...issued, owner: "customer" };
  const merge =
    merged instanceof Failure
      ? { merged: false as const, code: merged.code, message: merged.message }
      : { merged: true as const, ...merged };
  return { ...issued, owner: "customer", merge };
}
