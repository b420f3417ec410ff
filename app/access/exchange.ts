import { z } from "zod";
import { isScope, scopeSchema, type Scope } from "./scopes.ts";

/** The most characters of an id or a secret; the service's own are shorter. */
const CREDENTIAL_MAX = 255;
const SCOPE_LIST_MAX = 255;

const credential = z
  .string()
  .min(1, "must not be empty")
  .max(CREDENTIAL_MAX, `must have at most ${CREDENTIAL_MAX} characters`);

const scopeList = z
  .string()
  .max(SCOPE_LIST_MAX, `must have at most ${SCOPE_LIST_MAX} characters`)
  .transform((text, context): Scope[] => {
    if (text.includes(",")) {
      context.addIssue("must be separated by spaces, not by commas");
      return z.NEVER;
    }
    const names = text.split(" ").filter((name) => name !== "");
    const scopes = names.filter(isScope);
    const unknown = names.filter((name) => !isScope(name));
    if (unknown.length > 0) context.addIssue(`contains unknown scopes; known: ${scopeSchema.options.join(", ")}`);
    if (names.length === 0) context.addIssue("must contain at least one scope");
    return [...new Set(scopes)];
  })
  .meta({
    description: "Limits the token to these scopes, separated by spaces",
    example: "read_wishlists",
    "x-additive": true,
  });

/**
 * Returns the schema of the token exchange.
 * @param customerId schema of a customer id; passed in, because this feature does not import the wishlists feature
 */
export function exchangeBody(customerId: z.ZodType<string>) {
  return z
    .strictObject({
      api_key: credential.meta({ description: "Key id", example: "wlk_…" }),
      api_secret: credential.meta({ description: "Secret", example: "wls_…" }),
      scope: scopeList.optional(),
      customer_id: customerId.optional().meta({
        description: "Binds the token to one customer, so that it is safe in a browser or a mobile app",
        "x-additive": true,
      }),
    })
    .meta({ id: "TokenExchange" });
}

export const exchangedSchema = z
  .strictObject({
    token: z
      .string()
      .meta({ description: "Bearer token (JWT)", example: "eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6Ij…" }),
    expiresIn: z.int().meta({ description: "Seconds until the token expires", example: 3600 }),
  })
  .meta({ id: "AccessToken" });
