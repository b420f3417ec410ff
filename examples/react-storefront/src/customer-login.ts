import * as oauth from "oauth4webapi";
import { IS_DEMO_STORE } from "./settings.ts";

/**
 * The customer's login at Shopify: OpenID Connect with PKCE, as a public client of the Customer Account API. The tokens are in `localStorage`,
 * which all tabs share. A shop front with a server keeps them there instead.
 */

const STORE_URL = import.meta.env.VITE_STORE_URL;
const CLIENT: oauth.Client = { client_id: import.meta.env.VITE_CUSTOMER_CLIENT_ID };
const SCOPE = "openid email customer-account-api:full";
const REDIRECT_URI = `${location.origin}/account/authorize`;

// oxlint-disable-next-line typescript/no-deprecated -- The library marks it so that it is noticed; it is for stores on this machine only.
const OPTIONS = { [oauth.allowInsecureRequests]: IS_DEMO_STORE };

/** Where the tokens are. Tabs hear of a change by a `storage` event with this key. */
export const TOKENS_KEY = "customer.tokens";
const PENDING_KEY = "customer.login";

/** Milliseconds before its end at which the access token is refreshed. */
const MARGIN = 60_000;

interface Tokens {
  accessToken: string;
  refreshToken: string;
  idToken: string;
  expiresAt: number;
}

interface PendingLogin {
  verifier: string;
  state: string;
  nonce: string;
  returnTo: string;
}

/** The customer has to log in again. */
export class LoginExpiredError extends Error {}

export function isLoggedIn(): boolean {
  return localStorage.getItem(TOKENS_KEY) !== null;
}

/** Leaves the page for Shopify's login, which returns to `/account/authorize`. */
export async function startLogin(): Promise<void> {
  const { authorization_endpoint: endpoint = "" } = await discover();
  const pending: PendingLogin = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    // Two slashes would be another site's address.
    returnTo: location.pathname.replace(/^\/+/, "/") + location.search,
  };
  sessionStorage.setItem(PENDING_KEY, JSON.stringify(pending));
  leaveFor(endpoint, {
    client_id: CLIENT.client_id,
    response_type: "code",
    redirect_uri: REDIRECT_URI,
    scope: SCOPE,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: "S256",
  });
}

/**
 * Exchanges the code with which Shopify's login has returned, and keeps the tokens.
 * @returns the path on which the login began
 */
export async function finishLogin(url: URL): Promise<string> {
  const stored = sessionStorage.getItem(PENDING_KEY);
  if (stored === null) throw new Error("No login has begun in this tab.");
  sessionStorage.removeItem(PENDING_KEY);
  const { verifier, state, nonce, returnTo } = JSON.parse(stored) as PendingLogin;
  const server = await discover();
  const parameters = oauth.validateAuthResponse(server, CLIENT, url, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    CLIENT,
    oauth.None(),
    parameters,
    REDIRECT_URI,
    verifier,
    OPTIONS,
  );
  const options = { expectedNonce: nonce, requireIdToken: true };
  keepTokens(await oauth.processAuthorizationCodeResponse(server, CLIENT, response, options));
  return returnTo;
}

/**
 * Returns the customer's access token, after refreshing it near its end.
 * @throws LoginExpiredError if the customer has to log in again
 */
export async function getAccessToken(): Promise<string> {
  // A refresh token is valid once, so one tab after another uses it.
  return navigator.locks.request(TOKENS_KEY, async () => {
    const tokens = readTokens();
    if (!tokens) throw new LoginExpiredError();
    if (Date.now() < tokens.expiresAt - MARGIN) return tokens.accessToken;
    const server = await discover();
    const response = await oauth.refreshTokenGrantRequest(server, CLIENT, oauth.None(), tokens.refreshToken, OPTIONS);
    try {
      const refreshed = await oauth.processRefreshTokenResponse(server, CLIENT, response);
      keepTokens(refreshed, tokens);
      return refreshed.access_token;
    } catch (error) {
      if (error instanceof oauth.ResponseBodyError && error.error === "invalid_grant") throw new LoginExpiredError();
      throw error;
    }
  });
}

export function deleteTokens(): void {
  localStorage.removeItem(TOKENS_KEY);
}

/** Deletes the tokens, and ends the session at Shopify, which returns to the first page. */
export async function endLogin(): Promise<void> {
  const tokens = readTokens();
  deleteTokens();
  if (!tokens) return;
  const { end_session_endpoint: endpoint = "" } = await discover();
  leaveFor(endpoint, { id_token_hint: tokens.idToken, post_logout_redirect_uri: `${location.origin}/` });
}

async function discover(): Promise<oauth.AuthorizationServer> {
  const response = await fetch(`${STORE_URL}/.well-known/openid-configuration`);
  if (!response.ok) throw new Error(`The store's login responded with ${response.status}.`);
  return (await response.json()) as oauth.AuthorizationServer;
}

function leaveFor(endpoint: string, parameters: Record<string, string>): void {
  location.assign(`${endpoint}?${new URLSearchParams(parameters).toString()}`);
}

function readTokens(): Tokens | undefined {
  const stored = localStorage.getItem(TOKENS_KEY);
  return stored === null ? undefined : (JSON.parse(stored) as Tokens);
}

/** @param before what the response of a refresh may leave out */
function keepTokens(response: oauth.TokenEndpointResponse, before?: Tokens): void {
  const tokens: Tokens = {
    accessToken: response.access_token,
    refreshToken: response.refresh_token ?? before?.refreshToken ?? "",
    idToken: response.id_token ?? before?.idToken ?? "",
    expiresAt: Date.now() + (response.expires_in ?? 0) * 1000,
  };
  localStorage.setItem(TOKENS_KEY, JSON.stringify(tokens));
}
