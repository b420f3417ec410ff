import { createBundles } from "../browser/bundle.ts";
import { createAppClient, type AppClient } from "../foundation/app-client.ts";
import type { Options } from "../foundation/options.ts";
import type { RequestContext } from "../foundation/request-context.ts";
import { createInbox } from "../store/inbox.ts";
import { createStore, type Store } from "../store/store.ts";
import { createStoreEvents } from "../webhooks/events.ts";
import { createWebhookSender, type WebhookSender } from "../webhooks/sender.ts";
import { createRouter } from "./router.ts";

interface RunningStore {
  store: Store;
  sender: WebhookSender;
  router: ReturnType<typeof createRouter>;
}

/** The stores of a devstore, which share one app. */
export interface Stores {
  app: AppClient;
  first: Store;
  /** Returns the store with this domain; creates an empty one when the domain is new. */
  get: (domain: string) => Store;
  /** Routes a request to the store that its host names, by default to the first. */
  route: (request: Request, requestContext: RequestContext) => Promise<Response>;
  close: () => Promise<void>;
}

export function createStores(options: Options): Stores {
  const app = createAppClient(options);
  const bundle = createBundles();
  const inbox = createInbox();
  const running = new Map<string, RunningStore>();

  function start(domain: string, data: Options["data"]): RunningStore {
    const store = createStore(options, domain, data, app, inbox);
    const sender = createWebhookSender(store);
    const events = createStoreEvents(store, sender);
    const started = { store, sender, router: createRouter({ store, events, sender, bundle }) };
    running.set(domain, started);
    return started;
  }

  const first = start(options.shop, options.data);
  return {
    app,
    first: first.store,
    get: (domain) => (running.get(domain) ?? start(domain, "none")).store,
    async route(request, requestContext) {
      const host = request.headers.get("x-forwarded-host") ?? request.headers.get("host") ?? "";
      return (running.get(host) ?? first).router.fetch(request, { requestContext });
    },
    async close() {
      await Promise.all([...running.values()].map(({ sender }) => sender.close()));
    },
  };
}
