import { errors, jwtVerify, type JWTPayload } from "jose";
import { z } from "zod";
import { findAccountClient, issueStorefrontToken, type BoundCaller } from "../access/index.server.ts";
import { hasFeature } from "../billing/index.server.ts";
import { nowMs } from "../platform/clock.server.ts";
import { env, secrets } from "../platform/process/env.server.ts";
import { Failure } from "../platform/failure.ts";
import { readStoreMoney } from "../shops/index.server.ts";
import { subjectOf } from "../shopify-session-tokens.server.ts";
import { SHOPPER_TOKEN_FAILURES } from "./failures.ts";

/** Seconds by which clocks may differ, as in Shopify's own libraries. */
const CLOCK_TOLERANCE = 10;
/** The most characters of a session token; Shopify's have fewer than 1,000. */
const MAX_SESSION_TOKEN = 4_096;

export const customerAccountTokenBody = z
  .strictObject({
    session_token: z
      .string()
      .min(1, "must not be empty")
      .max(MAX_SESSION_TOKEN, `must have at most ${MAX_SESSION_TOKEN} characters`)
      .meta({
        description: "The result of `shopify.sessionToken.get()` in a customer account UI extension of this app",
        example: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9…",
      }),
  })
  .meta({ id: "CustomerAccountTokenExchange" });

export const customerAccountTokenSchema = z
  .strictObject({
    token: z
      .string()
      .meta({ description: "Bearer token (JWT)", example: "eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6Ij…" }),
    expiresIn: z.int().meta({ description: "Seconds until the token expires", example: 900 }),
    shop: z.string().meta({ description: "The shop's domain", example: "larkfell-outdoor.myshopify.com" }),
    features: z
      .strictObject({
        lists: z.boolean().meta({ description: "Whether the customer can create named lists", example: true }),
        sharing: z.boolean().meta({ description: "Whether the customer can share lists", example: true }),
      })
      .meta({ description: "What the shop's plan includes" }),
    moneyFormat: z.string().nullable().meta({
      description:
        "The store's format of prices in its currency as text, with one of Shopify's placeholders such as `{{amount_with_comma_separator}}`; null until Shopify has reported one",
      example: "€{{amount_with_comma_separator}}",
      "x-additive": true,
    }),
  })
  .meta({ id: "CustomerAccountToken" });

function invalid(message: string = SHOPPER_TOKEN_FAILURES.invalid_session_token.message): Failure {
  return new Failure("invalid_session_token", message);
}

/** Verifies signature, audience and times, with each of the app's secrets while the client secret is being rotated. */
async function verify(token: string): Promise<JWTPayload | Failure> {
  const { shopify } = env();
  const { shopifyApiSecrets } = secrets();
  if (!shopify || !shopifyApiSecrets) return invalid("This service is not connected to a Shopify app.");
  for (const secret of shopifyApiSecrets) {
    try {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
        algorithms: ["HS256"],
        audience: shopify.apiKey,
        requiredClaims: ["aud", "dest", "exp", "nbf"],
        clockTolerance: CLOCK_TOLERANCE,
        currentDate: new Date(nowMs()),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue;
      return error instanceof errors.JWTExpired
        ? invalid("This session token has expired. Call `shopify.sessionToken.get()` for each exchange.")
        : invalid();
    }
  }
  return invalid();
}

/**
 * Authenticates a customer by the session token that Shopify gives to a customer account UI extension.
 * @returns `invalid_session_token`, also for an unknown shop and one that has uninstalled the app; `session_without_customer`
 */
export async function authenticateSessionToken(token: string): Promise<BoundCaller | Failure> {
  const payload = await verify(token);
  if (payload instanceof Failure) return payload;
  const subject = subjectOf(payload);
  // The bare id of a staff member could equal a customer's.
  if (subject?.kind !== "customer") return invalid();
  const client = await findAccountClient(subject.shop);
  if (!client) return invalid();
  if (subject.customerId === undefined) {
    return new Failure("session_without_customer", SHOPPER_TOKEN_FAILURES.session_without_customer.message);
  }
  return { ...client, owner: { shopId: client.shopId, kind: "customer", id: subject.customerId } };
}

/** Issues a token for the customer of a session token. */
export async function customerAccountToken(caller: BoundCaller): Promise<z.infer<typeof customerAccountTokenSchema>> {
  const { shop, shopId, plan, owner } = caller;
  const features = { lists: hasFeature(plan, "lists"), sharing: hasFeature(plan, "sharing") };
  const [token, { moneyFormat }] = await Promise.all([issueStorefrontToken(caller, owner), readStoreMoney(shopId)]);
  return { ...token, shop, features, moneyFormat };
}
