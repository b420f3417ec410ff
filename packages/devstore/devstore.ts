import { randomUUID } from "node:crypto";
import { now } from "../../app/platform/clock.server.ts";
import { env } from "../../app/platform/process/env.server.ts";
import { install, removeApp } from "./actions/installation.ts";
import { frameAddress } from "./admin/app-page.ts";
import { adminPaths } from "./admin/layout.ts";
import { optionsSchema, type DevstoreOptions, type Options, type Topic } from "./foundation/options.ts";
import { serve } from "./server/serve.ts";
import { createStores } from "./server/stores.ts";
import { createSessionToken } from "./store/session-tokens.ts";
import type { Inbox } from "./store/inbox.ts";
import type { Store } from "./store/store.ts";
import { signProxyQuery } from "./storefront/app-proxy.ts";
import { shop as shopPayload } from "./webhooks/payloads.ts";
import { webhookHeaders } from "./webhooks/sender.ts";

/** User agent of a merchant's browser: Shopify's library refuses programs with 410. */
export const MERCHANT_BROWSER =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** A webhook that a test composes. */
export interface TestWebhook {
  topic: Topic | (string & {});
  /** domain */
  shop: string;
  payload: unknown;
  webhookId?: string;
  triggeredAt?: Date;
  /** sent instead of the payload's JSON; the signature is the body's */
  body?: string;
  /** replace the usual headers; undefined removes one */
  headers?: Readonly<Record<string, string | undefined>>;
}

/** Shopify on this machine. See `createDevstore`. */
export interface Devstore {
  /** address of the storefront, the admin and the APIs: the app's DEVSTORE_URL */
  url: string;
  /** address of the app inside the first store's admin, for a person's browser */
  adminUrl: string;
  storefrontUrl: string;
  /** address of the page with faults, products, webhooks and logs */
  controlUrl: string;
  /** customers whom the storefront's login page offers */
  logins: { customerId: string; name: string; email: string }[];
  /** domain of the first store */
  shop: string;
  /** see the options */
  apiVersion: string;
  storefrontAccessToken: string;
  customerAccountClient: Options["customerAccountClient"];
  /** with `tlsPort`: Chromium's `--host-resolver-rules` for Shopify's hosts and the app's */
  hostResolverRules: string | undefined;
  /** what the mail server received: see the option `smtp` */
  inbox: Inbox;
  /** with `smtp` over TLS: the mail server's certificate in PEM, for NODE_EXTRA_CA_CERTS */
  mailCertificate: string | undefined;
  /** settings of an app that takes this devstore for Shopify, and with `smtp` for its mail server */
  env: {
    NODE_ENV: "test";
    SHOPIFY_API_KEY: string;
    SHOPIFY_API_SECRET: string;
    SHOPIFY_APP_URL: string;
    DEVSTORE_URL: string;
    SMTP_URL?: string;
    MAIL_FROM?: string;
  };
  /**
   * Returns a store's state, which a test reads and changes: catalog, customers, subscriptions, installation, tokens, faults,
   * requests to the Admin API. Creates an empty store with the app installed when the domain is new.
   * @param domain of the first store by default
   */
  store: (domain?: string) => Store;
  /** Sets where the app listens, for an app that starts after the devstore. */
  connectApp: (address: string) => void;
  /** Opens the app as the admin's frame does, which connects the store: the app exchanges the session token for an access token. */
  openApp: (options?: { app?: string; shop?: string; path?: string }) => Promise<Response>;
  /** Opens the app in the first store. @throws if it does not respond with 200 */
  connectStore: () => Promise<void>;
  /** Returns a session token of the store's owner. @param claims override the usual ones; `sub` is a staff member's id */
  sessionToken: (shop: string, claims?: Readonly<Record<string, unknown>>) => string;
  /** Returns the query of an app-proxy request: the given parameters, the app proxy's own and their signature. */
  proxyQuery: (shop: string, options?: { search?: string; customerId?: string }) => string;
  /** Delivers a webhook once, without retries. @param app the app's address */
  deliverWebhook: (app: string, path: string, webhook: TestWebhook) => Promise<Response>;
  /** Installs the app in a store from which it was uninstalled. */
  install: (shop: string) => void;
  /** Uninstalls the app from a store: revokes the tokens, then delivers `app/uninstalled`. */
  uninstall: (app: string, shop: string, triggeredAt?: Date) => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Starts Shopify on this machine: stores with their admin, APIs, webhooks and storefront, around one app. All options have
 * defaults; without any, the devstore has one empty store, listens on a free port of 127.0.0.1 and is ready in milliseconds.
 * It bundles its browser scripts on the first request and speaks TLS only with `tlsPort`.
 *
 * A test starts one per file, passes `devstore.env` to the app, then drives and observes the stores:
 * ```ts
 * const shopify = await createDevstore();
 * const service = await startService({ env: shopify.env });
 * const store = shopify.store("a-store.myshopify.com");
 * store.catalog.put({ id: 1, handle: "lamp", title: "Lamp", variants: [{ id: 10 }] });
 * await shopify.openApp({ app: service.url, shop: store.shop.domain });
 * store.faults.inject({ on: "graphql", operation: "CatalogPage", behaviour: "throttled", times: 1 });
 * expect(store.adminApiRequests.map(({ operation }) => operation)).toContain("CatalogPage");
 * ```
 * @throws in production, and for an invalid option
 */
export async function createDevstore(given: DevstoreOptions = {}): Promise<Devstore> {
  if (env().production) throw new Error("The devstore does not start in production: NODE_ENV is production");
  const options = optionsSchema.parse(given);
  const stores = createStores(options);
  const { first } = stores;
  const { local, hostResolverRules, mail, close } = await serve(stores, options);

  const openApp: Devstore["openApp"] = async ({ app = local.app, shop = first.shop.domain, path = "/app" } = {}) => {
    const frame = frameAddress(stores.get(shop), { ...local, app }, path, "");
    return fetch(frame, { headers: { "user-agent": MERCHANT_BROWSER }, redirect: "manual" });
  };
  const deliverWebhook: Devstore["deliverWebhook"] = async (app, path, webhook) => {
    const { topic, shop, payload, webhookId = randomUUID(), triggeredAt = now(), headers = {} } = webhook;
    const body = webhook.body ?? JSON.stringify(payload);
    const all = { ...webhookHeaders(stores.get(shop), { topic, body, webhookId, triggeredAt }), ...headers };
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return fetch(app + path, { method: "POST", headers: sent, body });
  };

  const { storefront: url } = local;
  const paths = adminPaths(first);
  return {
    url,
    adminUrl: url + paths.app,
    storefrontUrl: url,
    controlUrl: url + paths.control,
    logins: first.customers.demoLogins().map(({ id, firstName, lastName, email }) => ({
      customerId: id,
      name: `${firstName} ${lastName}`,
      email,
    })),
    shop: first.shop.domain,
    apiVersion: options.apiVersion,
    storefrontAccessToken: options.storefrontAccessToken,
    customerAccountClient: options.customerAccountClient,
    hostResolverRules,
    inbox: first.inbox,
    mailCertificate: mail?.certificate,
    env: {
      NODE_ENV: "test",
      SHOPIFY_API_KEY: options.apiKey,
      SHOPIFY_API_SECRET: options.apiSecret,
      SHOPIFY_APP_URL: options.appUrl,
      DEVSTORE_URL: url,
      ...(mail && { SMTP_URL: mail.url, MAIL_FROM: `${first.shop.name} <${first.shop.email}>` }),
    },
    store: (domain = first.shop.domain) => stores.get(domain),
    connectApp: (address) => stores.app.connect(address),
    openApp,
    async connectStore() {
      const { status } = await openApp();
      if (status !== 200)
        throw new Error(`The app responded with ${status} when it was opened in the devstore's admin`);
    },
    sessionToken: (shop, claims) => createSessionToken(stores.get(shop), claims),
    proxyQuery: (shop, { search = "", customerId } = {}) =>
      signProxyQuery(stores.get(shop), search, customerId).toString(),
    deliverWebhook,
    install: (shop) => install(stores.get(shop)),
    async uninstall(app, shop, triggeredAt) {
      const store = stores.get(shop);
      removeApp(store);
      const payload = shopPayload(store.shop);
      const webhook = { topic: "app/uninstalled", shop, payload, ...(triggeredAt && { triggeredAt }) };
      const path = options.webhooks["app/uninstalled"]?.uri ?? "/webhooks/app/uninstalled";
      const { status } = await deliverWebhook(app, path, webhook);
      if (status !== 200) throw new Error(`app/uninstalled got the response ${status}`);
    },
    async close() {
      await stores.close();
      await close();
    },
  };
}
