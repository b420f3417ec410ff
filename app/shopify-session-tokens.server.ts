import { z } from "zod";
import { shopDomainSchema } from "./shops/index.server.ts";

/**
 * Whom a session token of Shopify names. All surfaces sign with the app's secret for the same audience, so that the claims alone tell a customer's token
 * from a merchant's. Each surface accepts one kind.
 */
export type SessionSubject =
  | { kind: "staff"; shop: string; staffId: string }
  /** `customerId` is undefined for a customer who is not logged in, and for an app without access to protected customer data. */
  | { kind: "customer"; shop: string; customerId: string | undefined };

/** App Bridge in the admin (Shopify, "Session tokens"): the issuer is the admin of the shop, and `sub` the bare id of a staff member. */
const staffSchema = z
  .object({ iss: z.string(), aud: z.string(), dest: z.string().max(300), sub: z.string().regex(/^\d{1,20}$/) })
  .transform(({ iss, dest, sub }, context): SessionSubject => {
    const shop = shopDomainSchema.safeParse(dest.replace(/^https:\/\//, ""));
    if (shop.success && dest === `https://${shop.data}` && iss === `${dest}/admin`) {
      return { kind: "staff", shop: shop.data, staffId: sub };
    }
    context.addIssue({ code: "custom", message: "issuer and destination are not one shop" });
    return z.NEVER;
  });

const CUSTOMER_GID = "gid://shopify/Customer/";
/** Shopify's ids have 64 bits. */
const MAX_ID = 2n ** 64n - 1n;

/** Customer account UI extensions (Shopify, Session Token API, version 2026-10): `sub` is a customer's global id, and no admin has issued the token. */
const customerSchema = z
  .object({
    aud: z.string(),
    dest: z
      .string()
      .max(300)
      // Shopify's surfaces write the shop with and without the scheme.
      .transform((dest) => dest.replace(/^https:\/\//, ""))
      .pipe(shopDomainSchema),
    sub: z
      .string()
      .regex(/^gid:\/\/shopify\/Customer\/[1-9]\d{0,19}$/)
      .transform((sub) => sub.slice(CUSTOMER_GID.length))
      .refine((id) => BigInt(id) <= MAX_ID)
      .optional(),
    iss: z
      .string()
      .refine((issuer) => !issuer.endsWith("/admin"))
      .optional(),
  })
  .transform(({ dest, sub }): SessionSubject => ({ kind: "customer", shop: dest, customerId: sub }));

/**
 * Returns whom the claims of a session token name, or undefined if no surface of Shopify gives such claims.
 * @param claims the token's payload; whoever uses the result verifies the signature
 */
export function subjectOf(claims: unknown): SessionSubject | undefined {
  return z.union([staffSchema, customerSchema]).safeParse(claims).data;
}

/** Returns the claims of a token whose signature is not verified yet, or undefined for what is no JWT. */
export function unverifiedClaims(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  } catch {
    return undefined;
  }
}
