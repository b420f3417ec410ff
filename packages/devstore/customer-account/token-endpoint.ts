import { createHash } from "node:crypto";
import { z } from "zod";
import type { RequestContext } from "../foundation/request-context.ts";
import type { IssuedCustomerTokens } from "../store/customer-tokens.ts";
import type { Store } from "../store/store.ts";
import { createIdToken } from "./id-token.ts";
import { issuerOf } from "./login.ts";

const bodySchema = z.discriminatedUnion("grant_type", [
  z.object({
    grant_type: z.literal("authorization_code"),
    client_id: z.string(),
    redirect_uri: z.string(),
    code: z.string(),
    code_verifier: z.string().regex(/^[\w.~-]{43,128}$/),
  }),
  z.object({ grant_type: z.literal("refresh_token"), client_id: z.string(), refresh_token: z.string() }),
]);

type Refusal = "invalid_request" | "unsupported_grant_type" | "invalid_client" | "invalid_token" | "invalid_grant";

function refuse(store: Store, error: Refusal, description: string, status = 400): Response {
  store.journal.record({ kind: "oauth", summary: `customer login refused: ${error}, ${description}`, status });
  return Response.json({ error, error_description: description }, { status, headers: { "cache-control": "no-store" } });
}

function respond({ accessToken, expiresIn, refreshToken }: IssuedCustomerTokens, idToken?: string): Response {
  const tokens = {
    access_token: accessToken,
    expires_in: expiresIn,
    refresh_token: refreshToken,
    token_type: "Bearer",
    scope: "openid email customer-account-api:full",
  };
  return Response.json(idToken === undefined ? tokens : { ...tokens, id_token: idToken }, {
    headers: { "cache-control": "no-store" },
  });
}

/** `POST {issuer}/oauth/token`: exchanges a code with its PKCE verifier, or a refresh token, for tokens. */
export async function customerTokenEndpoint(
  store: Store,
  request: Request,
  { addresses }: RequestContext,
): Promise<Response> {
  const { clientId, javaScriptOrigins } = store.options.customerAccountClient;
  if (!javaScriptOrigins.includes(request.headers.get("origin") ?? "")) {
    return refuse(store, "invalid_token", "the Origin is not a registered JavaScript origin", 401);
  }
  const fields = Object.fromEntries(new URLSearchParams(await request.text()));
  const parsed = bodySchema.safeParse(fields);
  if (!parsed.success) {
    const unsupported = parsed.error.issues.some(({ code }) => code === "invalid_union");
    return refuse(store, unsupported ? "unsupported_grant_type" : "invalid_request", z.prettifyError(parsed.error));
  }
  const body = parsed.data;
  if (body.client_id !== clientId) return refuse(store, "invalid_client", "the client_id is unknown", 401);
  if (body.grant_type === "refresh_token") {
    const refreshed = store.customerTokens.refresh(body.refresh_token);
    return refreshed === undefined
      ? refuse(store, "invalid_grant", "the refresh token is unknown, used or expired")
      : respond(refreshed);
  }
  const granted = store.authorizationCodes.take(body.code);
  const challenge = createHash("sha256").update(body.code_verifier).digest("base64url");
  if (granted?.clientId !== body.client_id) {
    return refuse(store, "invalid_grant", "the code is unknown, used or expired");
  }
  if (granted.redirectUri !== body.redirect_uri) {
    return refuse(store, "invalid_grant", "the redirect_uri is not that of the authorization");
  }
  if (granted.codeChallenge !== challenge) return refuse(store, "invalid_grant", "the code_verifier does not match");
  const customer = store.customers.byId(granted.customerId);
  if (customer === undefined) return refuse(store, "invalid_grant", "the customer no longer exists");
  store.journal.record({ kind: "oauth", summary: "logged a customer in", status: 200 });
  const idToken = await createIdToken(store, issuerOf(store, addresses), customer, granted.nonce);
  return respond(store.customerTokens.issue(customer.id), idToken);
}
