import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { getRequestListener } from "@hono/node-server";
import { env } from "../app/platform/env.server.ts";
import { productionAddresses, translation, type Addresses } from "./addresses.ts";
import { frameAddress } from "./admin/app-page.ts";
import { adminPaths } from "./admin/layout.ts";
import { createBundles } from "./browser/bundle.ts";
import { appFront } from "./http/app-front.ts";
import type { Arrival } from "./http/visit.ts";
import { optionsSchema, type DevstoreOptions } from "./options.ts";
import { createRouter } from "./router.ts";
import { createStore } from "./store/store.ts";
import { createHooks } from "./webhooks/hooks.ts";
import { createSender } from "./webhooks/sender.ts";

const HOST = "127.0.0.1";

export interface Devstore {
  /** DEVSTORE_URL of the app */
  url: string;
  /** the app inside the admin, for a person's browser */
  adminUrl: string;
  storefrontUrl: string;
  /** buttons and log */
  controlUrl: string;
  /** who can log in at the storefront */
  logins: { customerId: string; name: string; email: string }[];
  /** the shop's domain */
  shop: string;
  /** with `tlsPort`: for Chromium's `--host-resolver-rules`, so that Shopify's names and the app's lead here */
  hostResolverRules: string | undefined;
  /** A merchant opens the app in the admin, which is what connects it: the app exchanges the session token for tokens of its own. */
  openApp: () => Promise<void>;
  close: () => Promise<void>;
}

type Answer = (request: Request, clientAddress: string) => Promise<Response>;

function listener(answer: Answer): RequestListener {
  const listen = getRequestListener((request, { incoming }) =>
    answer(request, incoming.socket.remoteAddress?.replace("::ffff:", "") ?? HOST),
  );
  return (incoming, outgoing) => void listen(incoming, outgoing);
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, HOST);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

const untranslated = { toLocal: (text: string) => text, toProduction: (text: string) => text };

/**
 * Starts a stand-in for Shopify on this machine: a store with its admin, its APIs and its storefront, around one app.
 * @throws in production, and when an option is wrong
 */
export async function startDevstore(given: DevstoreOptions): Promise<Devstore> {
  if (env().production) throw new Error("The devstore is no part of production: NODE_ENV is production");
  const options = optionsSchema.parse(given);
  const store = createStore(options);
  const sender = createSender(store);
  const router = createRouter({ store, sender, hooks: createHooks(store, sender), bundle: createBundles() });

  const production = productionAddresses(store.shop.domain, options.appUrl);
  const local: Addresses = { ...production };
  const servers: Server[] = [];
  const open = async (server: Server, port: number): Promise<number> => {
    const listening = await listen(server, port);
    servers.push(server);
    return listening;
  };
  const closeAll = async (): Promise<void> => {
    await sender.close();
    await Promise.all(servers.map(close));
  };
  const arrive = (addresses: Addresses, clientAddress: string): Arrival => ({
    addresses,
    translation: addresses === production ? untranslated : translation(production, local),
    clientAddress,
    locale: "en",
  });

  const shop = createHttpServer(
    listener(async (request, client) => router.fetch(request, { arrival: arrive(local, client) })),
  );
  const app = createHttpServer(listener(async (request, client) => appFront(options, request, arrive(local, client))));
  const tls = createTlsServer(
    {
      key: readFileSync(new URL("tls/key.pem", import.meta.url)),
      cert: readFileSync(new URL("tls/certificate.pem", import.meta.url)),
    },
    listener(async (request, client) => {
      const arrival = arrive(production, client);
      if (new URL(request.url).host === new URL(options.appUrl).host) return appFront(options, request, arrival);
      return router.fetch(request, { arrival });
    }),
  );

  let url: string;
  let rules: string | undefined;
  try {
    url = `http://${HOST}:${await open(shop, options.port)}`;
    const appOrigin = `http://${HOST}:${await open(app, options.appPort)}`;
    Object.assign(local, { storefront: url, admin: url, cdn: url, app: appOrigin });
    if (options.tlsPort !== undefined) {
      const port = await open(tls, options.tlsPort);
      const names = ["admin.shopify.com", "*.myshopify.com", "cdn.shopify.com", new URL(options.appUrl).hostname];
      rules = names.map((name) => `MAP ${name} ${HOST}:${port}`).join(", ");
    }
  } catch (error) {
    await closeAll();
    throw error;
  }

  return {
    url,
    adminUrl: url + adminPaths(store).app,
    storefrontUrl: url,
    controlUrl: `${url}${adminPaths(store).control}`,
    logins: store.customers.toLogIn.map(({ id, firstName, lastName, email }) => ({
      customerId: id,
      name: `${firstName} ${lastName}`,
      email,
    })),
    shop: store.shop.domain,
    hostResolverRules: rules,
    async openApp() {
      const frame = await frameAddress(store, local, "/app", "");
      const { status } = await fetch(frame, { headers: { "user-agent": "Mozilla/5.0 (the devstore's merchant)" } });
      if (status !== 200) throw new Error(`The app answered ${status} when it was opened in the devstore's admin`);
    },
    close: closeAll,
  };
}
