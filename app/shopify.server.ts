import "@shopify/shopify-app-remix/adapters/node";
import { redirect } from "@remix-run/node";
import { ShopifyError } from "@shopify/shopify-api";
import { setAbstractFetchFunc } from "@shopify/shopify-api/runtime";
import {
  ApiVersion,
  AppDistribution,
  BillingInterval,
  BillingReplacementBehavior,
  LogSeverity,
  SessionNotFoundError,
  shopifyApp,
} from "@shopify/shopify-app-remix/server";
import { env, secrets } from "./platform/process/env.server.ts";
import { log } from "./platform/log/log.server.ts";
import { noSessions, sessionStorage, validSession, type RefreshRequest } from "./shopify-sessions/index.server.ts";
import { BILLED, PLANS, TRIAL_DAYS } from "./billing/index.server.ts";
import { connectAdminApi, isAccessRefused, type AdminClient } from "./admin-api/index.server.ts";
import { connectStorefronts } from "./email/index.server.ts";
import { connectCustomerAccounts, type StoreFetch } from "./customers/index.server.ts";
import { shopAuthorized } from "./installation/index.server.ts";
import { publicFetch } from "./webhooks/index.server.ts";
import { sessionTokenOf, sessionTokenSecret, webhookSecret } from "./shopify-secrets.server.ts";
import { subjectOf, unverifiedClaims } from "./shopify-session-tokens.server.ts";

/** Default timeout of requests to Shopify, in milliseconds. Callers may pass a shorter one. */
const REQUEST_TIMEOUT = 15_000;

/** Billed monthly in US dollars. A change of plan takes effect at once. */
function plan(name: keyof typeof BILLED) {
  return {
    trialDays: TRIAL_DAYS,
    replacementBehavior: BillingReplacementBehavior.ApplyImmediately,
    lineItems: [
      { amount: PLANS[BILLED[name]].price, currencyCode: "USD", interval: BillingInterval.Every30Days as const },
    ],
  };
}

function createApp(storage: typeof sessionStorage, apiSecret: string) {
  const { shopify } = env();
  if (!shopify) throw notConnected();
  return shopifyApp({
    apiKey: shopify.apiKey,
    apiSecretKey: apiSecret,
    apiVersion: ApiVersion.October26,
    scopes: shopify.scopes,
    appUrl: shopify.appUrl,
    authPathPrefix: "/auth",
    distribution: AppDistribution.AppStore,
    sessionStorage: storage,
    billing: { Starter: plan("Starter"), Growth: plan("Growth") },
    future: { unstable_newEmbeddedAuthStrategy: true, expiringOfflineAccessTokens: true },
    hooks: {
      async afterAuth({ session }) {
        try {
          await shopAuthorized(session.shop);
          // Stored again, because processing an earlier uninstall may have deleted the new session.
          await storage.storeSession(session);
        } catch (error) {
          // Without a session, the next request starts the authentication again.
          await storage.deleteSession(session.id);
          log.error({ shop: session.shop, err: error }, "a shop could not be installed");
          throw error;
        }
      },
    },
    logger: {
      level: LogSeverity.Warning,
      timestamps: false,
      log: (severity, message) => {
        log[severity === LogSeverity.Error ? "error" : "warn"]({}, message);
      },
    },
  });
}

/** The response of a service without Shopify settings, which runs as the headless API only. */
function notConnected(): Response {
  return new Response(
    "This service is not connected to Shopify. Set SHOPIFY_API_KEY, SHOPIFY_API_SECRET and SHOPIFY_APP_URL.",
    {
      status: 503,
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    },
  );
}

/** Tells whether the library refused to redirect a browser from the admin's frame to a foreign host. It has logged the error. */
export function isUntrustedDestination(error: unknown): boolean {
  return error instanceof ShopifyError && error.message.startsWith("Invalid exit-iframe destination");
}

type App = ReturnType<typeof createApp>;

const apps = new Map<string, App>();
const webhookApps = new Map<string, App>();
const serviceApps = new Map<string, App>();

/** Returns the app's secrets: more than one while the client secret is being rotated. */
function apiSecrets(): readonly [string, ...string[]] {
  const { shopifyApiSecrets } = secrets();
  if (shopifyApiSecrets === undefined) throw notConnected();
  return shopifyApiSecrets;
}

function appFor(known: Map<string, App>, storage: typeof sessionStorage, secret: string): App {
  const app = known.get(secret) ?? createApp(storage, secret);
  known.set(secret, app);
  return app;
}

/** The sessions of staff, without those whose access token Shopify refuses: for them the library exchanges the session token anew. */
const staffSessions: typeof sessionStorage = {
  ...sessionStorage,
  async loadSession(id) {
    const session = await sessionStorage.loadSession(id);
    return session?.accessToken !== undefined && isAccessRefused(session.accessToken) ? undefined : session;
  },
};

/** Created at first use, because the service also runs without Shopify settings. */
function shopify(secret = apiSecrets()[0]): App {
  return appFor(apps, staffSessions, secret);
}

/** Verifies Shopify's webhooks. It has no session storage, so that a webhook never waits for a token refresh. */
function webhookReceiver(secret: string): App {
  return appFor(webhookApps, noSessions, secret);
}

/** Checks for a `host` that is not base64, because the library throws when it decodes one. */
function hasBrokenHost(request: Request): boolean {
  const host = new URL(request.url).searchParams.get("host");
  if (host === null) return false;
  try {
    atob(host);
    return false;
  } catch {
    return true;
  }
}

/** The library's own response to an invalid shop or host. */
function toLogin(): Response {
  return redirect("/auth/login");
}

/**
 * Takes a session token away that is not a staff member's. The library checks signature, audience and times alone, and would let a customer in whose
 * token a customer account extension has got. Without a token it responds as to an invalid one.
 */
function withStaffTokenOnly(request: Request): Request {
  const token = sessionTokenOf(request);
  if (token === undefined || subjectOf(unverifiedClaims(token))?.kind === "staff") return request;
  const url = new URL(request.url);
  url.searchParams.delete("id_token");
  const headers = new Headers(request.headers);
  if (headers.has("authorization")) headers.set("authorization", "Bearer none");
  return new Request(url, { method: request.method, headers, signal: request.signal });
}

/** Authenticates requests of the admin and of webhooks. Throws the Response to send when it fails. */
export const authenticate = {
  admin: async (request: Request) => {
    if (hasBrokenHost(request)) throw toLogin();
    const context = await shopify(sessionTokenSecret(request, apiSecrets())).authenticate.admin(
      withStaffTokenOnly(request),
    );
    // The claims that the library has verified decide, wherever it has found the token.
    if (subjectOf(context.sessionToken)?.kind !== "staff") throw new Response(null, { status: 401 });
    return context;
  },
  webhook: async (request: Request) => {
    const secret = await webhookSecret(request, apiSecrets());
    return webhookReceiver(secret).authenticate.webhook(request);
  },
};

/** Returns the app's client id, which App Bridge needs in the page. */
export function appClientId(): string {
  const { shopify } = env();
  if (!shopify) throw notConnected();
  return shopify.apiKey;
}

/** Returns the origin of the app and its API, such as https://app.example.com. */
export function appOrigin(): string {
  const { shopify } = env();
  if (!shopify) throw notConnected();
  return shopify.appUrl;
}

export function addDocumentResponseHeaders(request: Request, headers: Headers): void {
  if (env().shopify) shopify().addDocumentResponseHeaders(request, headers);
}

/**
 * Returns a request with the URL that the browser sent, at the app's public origin. On the fast path, a route's request has no query, and
 * behind a proxy its scheme differs from the browser's.
 */
export function publicRequest(request: Request, target: string): Request {
  return new Request(new URL(target, env().shopify?.appUrl ?? request.url), request);
}

/** Sends requests of the service itself, without a staff member. Its sessions are valid when they are loaded, so the library refreshes none itself. */
function serviceApp(): App {
  const storage: typeof sessionStorage = {
    ...noSessions,
    loadSession: async (id) => (await validSession(id.replace(/^offline_/, ""), requestRefresh))?.session,
  };
  return appFor(serviceApps, storage, apiSecrets()[0]);
}

async function adminClient(shop: string): Promise<AdminClient | undefined> {
  try {
    const { admin, session } = await serviceApp().unauthenticated.admin(shop);
    const { accessToken, expires } = session;
    if (accessToken === undefined || expires === undefined) return undefined;
    return { accessToken, expires, query: (document, options) => admin.graphql(document, options) };
  } catch (error) {
    if (error instanceof SessionNotFoundError) return undefined;
    throw error;
  }
}

/** Concurrent callers of a shop share one client, so that they wait for one refresh of its token. */
const pendingClients = new Map<string, Promise<AdminClient | undefined>>();

function connectStore(shop: string): Promise<AdminClient | undefined> {
  let client = pendingClients.get(shop);
  if (!client) {
    client = adminClient(shop).finally(() => pendingClients.delete(shop));
    pendingClients.set(shop, client);
  }
  return client;
}

/** Requests new tokens of a shop from its token endpoint. */
const requestRefresh: RefreshRequest = (shop, refreshToken) => {
  return transport(`https://${shop}/admin/oauth/access_token`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({
      client_id: appClientId(),
      client_secret: apiSecrets()[0],
      refresh_token: refreshToken,
      grant_type: "refresh_token",
    }),
  });
};

/** Sends the requests of Shopify's library, with a timeout and, if `DEVSTORE_URL` is set, to the devstore. */
const transport: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { devstoreUrl } = env();
  const { hostname, pathname, search } = new URL(request.url);
  const toDevstore = devstoreUrl !== undefined && hostname.endsWith(".myshopify.com");
  const headers = new Headers(request.headers);
  if (toDevstore) headers.set("x-forwarded-host", hostname);
  const body = request.body === null ? undefined : await request.text();
  return fetch(toDevstore ? new URL(pathname + search, devstoreUrl) : request.url, {
    method: request.method,
    headers,
    ...(body === undefined ? {} : { body }),
    redirect: request.redirect,
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_TIMEOUT)]),
  });
};

const fetchPublic = publicFetch(REQUEST_TIMEOUT);

/** Sends requests to a store's Customer Account API, which can be at an address that the merchant controls. */
const customerAccountTransport: StoreFetch = (address, request) =>
  address.hostname.endsWith(".myshopify.com") ? transport(address, request) : fetchPublic(address, request);

/** Connects the features to the APIs of the stores. To be called once, at start-up. */
export function connectShopify(): void {
  // Overrides the function that the library sets when it is imported.
  setAbstractFetchFunc(transport);
  connectAdminApi(connectStore);
  connectCustomerAccounts(customerAccountTransport);
  connectStorefronts(transport);
}
