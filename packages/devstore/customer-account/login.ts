import { html, raw } from "hono/html";
import { z } from "zod";
import type { RequestContext } from "../foundation/request-context.ts";
import { readCookie, sessionCookie } from "../foundation/cookies.ts";
import type { Store } from "../store/store.ts";
import { customerOfIdToken } from "./id-token.ts";

/** The login of new customer accounts: an OpenID provider for the store's public client. */

export const LOGIN_PATH = "/authentication";
const SESSION_COOKIE = "_customer_account_session";

/** Returns the issuer, below which all endpoints of the login are. */
export function issuerOf({ shop }: Store, { storefront }: RequestContext["addresses"]): string {
  return `${storefront}${LOGIN_PATH}/${shop.id}`;
}

/** `GET /.well-known/openid-configuration` */
export function openIdConfiguration(store: Store, { addresses }: RequestContext): Response {
  const issuer = issuerOf(store, addresses);
  return Response.json({
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    end_session_endpoint: `${issuer}/logout`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    scopes_supported: ["openid", "email", "customer-account-api:full"],
    claims_supported: ["iss", "sub", "aud", "exp", "iat", "nonce", "email", "email_verified"],
  });
}

/** Parameters that decide where errors may be sent; they are checked first. */
const clientSchema = z.object({ client_id: z.string(), redirect_uri: z.string() });

const authorizationSchema = z.object({
  response_type: z.literal("code"),
  scope: z.string().refine((scope) => scope.split(" ").includes("openid"), "must contain openid"),
  code_challenge_method: z.literal("S256"),
  code_challenge: z.string().regex(/^[\w-]{43}$/, "must be base64url of a SHA-256"),
  nonce: z.string().optional(),
  prompt: z.enum(["none", "login"]).optional(),
});

function withParameters(address: string, parameters: Record<string, string | undefined>): Response {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return new Response(null, { status: 302, headers: { location: url.href, "cache-control": "no-store" } });
}

function refuse(problem: string): Response {
  return new Response(`${problem}\n`, { status: 400, headers: { "content-type": "text/plain; charset=utf-8" } });
}

/** `GET` and `POST {issuer}/oauth/authorize`: returns a code to the client, after a login if the browser has no session. */
export async function authorize(store: Store, request: Request): Promise<Response> {
  const parameters = Object.fromEntries(new URL(request.url).searchParams);
  const { customerAccountClient: registered } = store.options;
  const client = clientSchema.safeParse(parameters);
  if (!client.success || client.data.client_id !== registered.clientId) return refuse("The client_id is unknown.");
  const { client_id: clientId, redirect_uri: redirectUri } = client.data;
  if (!registered.redirectUris.includes(redirectUri)) return refuse("The redirect_uri is not registered.");

  const { state } = parameters;
  const parsed = authorizationSchema.safeParse(parameters);
  if (!parsed.success) {
    const error_description = z.prettifyError(parsed.error);
    return withParameters(redirectUri, { error: "invalid_request", error_description, state });
  }
  const { code_challenge: codeChallenge, nonce, prompt } = parsed.data;
  const redirectWithCode = (customerId: string): Response => {
    const code = store.authorizationCodes.issue({ customerId, clientId, redirectUri, codeChallenge, nonce });
    return withParameters(redirectUri, { code, state });
  };

  if (request.method === "POST") {
    const id = (await request.formData()).get("customer_id");
    const customer = typeof id === "string" ? store.customers.byId(id) : undefined;
    if (customer === undefined) return refuse("The customer is unknown.");
    const response = redirectWithCode(customer.id);
    response.headers.append("set-cookie", sessionCookie(SESSION_COOKIE, store.customerSessions.open(customer.id)));
    return response;
  }
  const loggedIn = store.customerSessions.customerId(readCookie(request, SESSION_COOKIE));
  if (loggedIn !== undefined && prompt !== "login") return redirectWithCode(loggedIn);
  return prompt === "none" ? withParameters(redirectUri, { error: "login_required", state }) : loginPage(store);
}

/** `GET {issuer}/logout`: ends the session and revokes the customer's tokens. */
export async function logout(store: Store, request: Request, { addresses }: RequestContext): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const customerId = await customerOfIdToken(store, issuerOf(store, addresses), searchParams.get("id_token_hint"));
  if (customerId === undefined) return refuse("The id_token_hint is missing or invalid.");
  const wanted = searchParams.get("post_logout_redirect_uri");
  if (wanted !== null && !store.options.customerAccountClient.logoutUris.includes(wanted)) {
    return refuse("The post_logout_redirect_uri is not registered.");
  }
  store.customerSessions.close(readCookie(request, SESSION_COOKIE));
  store.customerTokens.revoke(customerId);
  store.journal.record({ kind: "oauth", summary: "logged a customer out", status: 302 });
  const response = withParameters(wanted ?? addresses.storefront, { state: searchParams.get("state") ?? undefined });
  response.headers.append("set-cookie", `${sessionCookie(SESSION_COOKIE, "")}; Max-Age=0`);
  return response;
}

const LOGIN_CSS = `
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: #f4f4f2; color: #1f1f1f; font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 420px; padding: 24px; border-radius: 16px; background: #fff; box-shadow: 0 1px 3px rgb(0 0 0 / .12); }
h1 { margin: 0; font-size: 22px; } p { margin: 4px 0 16px; color: #5c5c5c; }
form { display: grid; gap: 8px; }
button { display: grid; width: 100%; padding: 10px 16px; border: 1px solid #c9c9c9; border-radius: 10px; background: #fff; color: inherit; font: inherit; text-align: left; cursor: pointer; overflow-wrap: anywhere; }
button:hover { background: #f4f4f2; } button span { color: #5c5c5c; font-size: 14px; }
:focus-visible { outline: 2px solid #005bd3; outline-offset: 2px; }
`;

/** Renders the page that asks which customer logs in, without a password. */
async function loginPage({ shop, customers }: Store): Promise<Response> {
  const choices = customers
    .demoLogins()
    .map(
      ({ id, firstName, lastName, email }) =>
        html`<button name="customer_id" value="${id}">
          <strong>${firstName} ${lastName}</strong><span>${email}</span>
        </button>`,
    );
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>Log in · ${shop.name}</title>
        <style>
          ${raw(LOGIN_CSS)}
        </style>
      </head>
      <body>
        <main>
          <h1>${shop.name}</h1>
          <p>Choose a customer to log in as. The devstore asks for no password.</p>
          <form method="post">${choices.length === 0 ? "The store has no customers." : choices}</form>
        </main>
      </body>
    </html>`;
  return new Response(String(await page), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": "frame-ancestors 'none'",
    },
  });
}
