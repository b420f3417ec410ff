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
import { env, secrets } from "./platform/env.server.ts";
import { log } from "./platform/log.server.ts";
import { noSessions, sessionStorage } from "./shopify-sessions/index.server.ts";
import { BILLED, PLANS, TRIAL_DAYS } from "./billing/index.server.ts";
import { connectAdminApi, type AdminClient } from "./admin-api/index.server.ts";
import { shopAuthorized } from "./installation/index.server.ts";

/** Milliseconds for whatever is asked of Shopify. Who can't wait that long says so. */
const REQUEST_TIMEOUT = 15_000;

/** Monthly, in US dollars. A change is there at once, whichever way it goes. */
function plan(name: keyof typeof BILLED) {
  return {
    trialDays: TRIAL_DAYS,
    replacementBehavior: BillingReplacementBehavior.ApplyImmediately,
    lineItems: [
      { amount: PLANS[BILLED[name]].price, currencyCode: "USD", interval: BillingInterval.Every30Days as const },
    ],
  };
}

function createApp(storage: typeof sessionStorage) {
  const { shopify } = env();
  const { shopifyApiSecret } = secrets();
  if (!shopify || shopifyApiSecret === undefined) throw notConnected();
  return shopifyApp({
    apiKey: shopify.apiKey,
    apiSecretKey: shopifyApiSecret,
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
          // An uninstall from before, dealt with since the session was stored, has taken it along.
          await storage.storeSession(session);
        } catch (error) {
          // Without the session, the next request begins here again.
          await storage.deleteSession(session.id);
          log.error({ shop: session.shop, err: error }, "a shop could not be taken in");
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

/** The answer of a service that has no Shopify settings: it is the headless API alone. */
function notConnected(): Response {
  return new Response("This service is not connected to Shopify. (Its settings SHOPIFY_… are not set.)", {
    status: 503,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
}

/** Did the library refuse to lead a browser out of the admin's frame to a foreign address? It has logged so. */
export function isUntrustedDestination(error: unknown): boolean {
  return error instanceof ShopifyError && error.message.startsWith("Invalid exit-iframe destination");
}

/** Where a shop gives out and refreshes tokens. */
const TOKEN_PATH = "/admin/oauth/access_token";

type App = ReturnType<typeof createApp>;

let app: App | undefined;
let webhookApp: App | undefined;

/** Made when first asked for: without Shopify's settings everything else works. */
function shopify(): App {
  return (app ??= createApp(sessionStorage));
}

/** Takes deliveries in. They need no token, and their answer must not wait until one has been refreshed. */
function webhookReceiver(): App {
  return (webhookApp ??= createApp(noSessions));
}

/** The library decodes `host` before it checks it, and fails with what is not base64. Shopify's own is. */
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

/** Where the library itself sends a browser whose shop or host is not valid. */
function toLogin(): Response {
  return redirect("/auth/login");
}

/** As the template has it. Each throws the Response that is to be answered instead. */
export const authenticate = {
  admin: (request: Request) => {
    if (hasBrokenHost(request)) throw toLogin();
    return shopify().authenticate.admin(request);
  },
  webhook: (request: Request) => webhookReceiver().authenticate.webhook(request),
};

/** The app's client id, which App Bridge needs in the page. */
export function appClientId(): string {
  const { shopify } = env();
  if (!shopify) throw notConnected();
  return shopify.apiKey;
}

/** Where the app and its API are, such as https://app.example.com. */
export function appOrigin(): string {
  const { shopify } = env();
  if (!shopify) throw notConnected();
  return shopify.appUrl;
}

export function addDocumentResponseHeaders(request: Request, headers: Headers): void {
  if (env().shopify) shopify().addDocumentResponseHeaders(request, headers);
}

/**
 * A request as it was sent, at the address where Shopify knows the app. The fast path gives routes a path without query, and behind a proxy
 * the scheme is not the one that the browser used.
 */
export function publicRequest(request: Request, target: string): Request {
  return new Request(new URL(target, env().shopify?.appUrl ?? request.url), request);
}

/** Who asks for the same shop at the same time shares a look-up: a refresh token is good for one refresh. */
const pendingClients = new Map<string, Promise<AdminClient | undefined>>();

/** The status with which a shop refused to refresh the app's token, by its domain. The library throws 500 whatever the status was. */
const refreshFailureStatus = new Map<string, number>();

async function adminClient(shop: string): Promise<AdminClient | undefined> {
  refreshFailureStatus.delete(shop);
  try {
    const { admin } = await shopify().unauthenticated.admin(shop);
    return (document, options) => admin.graphql(document, options);
  } catch (error) {
    if (error instanceof SessionNotFoundError) return undefined;
    const status = refreshFailureStatus.get(shop);
    throw error instanceof Response && status !== undefined ? new Response(null, { status }) : error;
  } finally {
    refreshFailureStatus.delete(shop);
  }
}

function connectStore(shop: string): Promise<AdminClient | undefined> {
  let client = pendingClients.get(shop);
  if (!client) {
    client = adminClient(shop).finally(() => pendingClients.delete(shop));
    pendingClients.set(shop, client);
  }
  return client;
}

/** What Shopify's library sends goes out with a time limit, and with `DEVSTORE_URL` to the devstore. */
const transport: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { devstoreUrl } = env();
  const { hostname, pathname, search } = new URL(request.url);
  const toDevstore = devstoreUrl !== undefined && hostname.endsWith(".myshopify.com");
  const headers = new Headers(request.headers);
  if (toDevstore) headers.set("x-forwarded-host", hostname);
  const body = request.body === null ? undefined : await request.text();
  const response = await fetch(toDevstore ? new URL(pathname + search, devstoreUrl) : request.url, {
    method: request.method,
    headers,
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_TIMEOUT)]),
  });
  if (pathname === TOKEN_PATH && response.status >= 400 && response.status < 500 && isRefresh(body)) {
    refreshFailureStatus.set(hostname, response.status);
  }
  return response;
};

function isRefresh(body = ""): boolean {
  return body.includes('"grant_type":"refresh_token"');
}

/** Lets features ask the stores. To be called once, at the start. */
export function connectShopify(): void {
  // Importing the library has set its own: this comes after.
  setAbstractFetchFunc(transport);
  connectAdminApi(connectStore);
}
