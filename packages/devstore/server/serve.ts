import { createServer as createTlsServer } from "node:https";
import { productionAddresses, translation, type Addresses } from "../foundation/addresses.ts";
import type { Options } from "../foundation/options.ts";
import { PRIMARY_LOCALE, type RequestContext } from "../foundation/request-context.ts";
import { appFront } from "./app-front.ts";
import { createListeners, HOST } from "./listen.ts";
import type { MailServer } from "./mail-server.ts";
import type { Stores } from "./stores.ts";

const identity = { toLocal: (text: string) => text, toProduction: (text: string) => text };

/** A devstore that listens. */
export interface Serving {
  /** local origins */
  local: Addresses;
  /** with `tlsPort`: Chromium's `--host-resolver-rules` for Shopify's hosts and the app's */
  hostResolverRules: string | undefined;
  /** with `smtp` */
  mail: MailServer | undefined;
  close: () => Promise<void>;
}

/** Listens for requests to the stores and to the app. @throws if a port is in use; then none stays open */
export async function serve(stores: Stores, { port, appPort, tlsPort, appUrl, smtp }: Options): Promise<Serving> {
  const production = productionAddresses(stores.first.shop.domain, appUrl);
  const local: Addresses = { ...production };
  const contextOf = (addresses: Addresses, clientAddress: string): RequestContext => ({
    addresses,
    translation: addresses === production ? identity : translation(production, local),
    toLoopback: (text) => translation(production, local).toLocal(text),
    clientAddress,
    locale: PRIMARY_LOCALE,
  });
  const listeners = createListeners();
  let hostResolverRules: string | undefined;
  let mail: MailServer | undefined;
  try {
    const storePort = await listeners.open(port, async (request, client) =>
      stores.route(request, contextOf(local, client)),
    );
    const frontPort = await listeners.open(appPort, async (request, client) =>
      appFront(stores.app, appUrl, request, contextOf(local, client)),
    );
    const url = `http://${HOST}:${storePort}`;
    Object.assign(local, { storefront: url, admin: url, cdn: url, app: `http://${HOST}:${frontPort}` });
    if (tlsPort !== undefined) {
      const { host, hostname } = new URL(appUrl);
      const handle = async (request: Request, client: string) => {
        const context = contextOf(production, client);
        if (new URL(request.url).host === host) return appFront(stores.app, appUrl, request, context);
        return stores.route(request, context);
      };
      const names = ["admin.shopify.com", "*.myshopify.com", "cdn.shopify.com", hostname];
      // Loading the library takes longer than starting a devstore without TLS.
      const { createCertificate } = await import("./certificate.ts");
      const certificate = await createCertificate(names);
      const securePort = await listeners.open(tlsPort, handle, (listener) => createTlsServer(certificate, listener));
      hostResolverRules = names.map((name) => `MAP ${name} ${HOST}:${securePort}`).join(", ");
    }
    if (smtp !== undefined) {
      // As above: its libraries take long to load.
      const { startMailServer } = await import("./mail-server.ts");
      mail = await startMailServer(stores.first, smtp);
    }
  } catch (error) {
    await listeners.closeAll();
    throw error;
  }
  return {
    local,
    hostResolverRules,
    mail,
    async close() {
      await mail?.close();
      await listeners.closeAll();
    },
  };
}
