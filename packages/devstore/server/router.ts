import { Hono, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { install } from "../actions/installation.ts";
import { appPage } from "../admin/app-page.ts";
import { bridge } from "../admin/bridge.ts";
import { confirmationPage, decideCharge } from "../admin/charge-confirmation.ts";
import { controlPage } from "../admin/control-page.ts";
import { draftOrderPage, draftOrdersPage } from "../admin/draft-orders.ts";
import { flowPage } from "../admin/flow.ts";
import { adminHome } from "../admin/home.ts";
import { inboxPage, messageHtml, unsubscribe } from "../admin/inbox.ts";
import { klaviyoPage } from "../admin/klaviyo.ts";
import { adminPaths } from "../admin/layout.ts";
import { orderPage, ordersPage } from "../admin/orders.ts";
import { RESOURCES, resourcePage } from "../admin/resources.ts";
import { decideScopes } from "../admin/scopes.ts";
import { saveBlock, themeEditor } from "../admin/theme-editor.ts";
import type { Script } from "../browser/bundle.ts";
import { controlApi, controlState } from "../control/api.ts";
import { inboxApi } from "../control/inbox.ts";
import { customerAccountApi, discovery } from "../customer-account/api.ts";
import { jsonWebKeySet } from "../customer-account/id-token.ts";
import { authorize, LOGIN_PATH, logout, openIdConfiguration } from "../customer-account/login.ts";
import { customerTokenEndpoint } from "../customer-account/token-endpoint.ts";
import { accountPages } from "../customer-account/routes.ts";
import type { RequestContext } from "../foundation/request-context.ts";
import { graphqlEndpoint } from "../graphql/endpoint.ts";
import { storefrontApi } from "../graphql/storefront/endpoint.ts";
import { tokenEndpoint } from "../oauth/token-endpoint.ts";
import { storefront } from "../storefront/routes.ts";
import type { Store } from "../store/store.ts";
import type { StoreEvents } from "../webhooks/events.ts";
import type { WebhookSender } from "../webhooks/sender.ts";
import { cdn } from "./cdn.ts";

export interface Bindings {
  requestContext: RequestContext;
}

interface Parts {
  store: Store;
  events: StoreEvents;
  sender: WebhookSender;
  bundle: (script: Script) => Promise<string>;
}

type Router = Hono<{ Bindings: Bindings }>;

/** Protects a developer's devstore from the websites that they visit. */
const refuseCrossSite: MiddlewareHandler = async (context, next) => {
  if (context.req.header("sec-fetch-site") !== "cross-site" || context.req.method === "GET") await next();
  else context.res = context.json({ ok: false, error: "cross-site requests are refused" }, 403);
};

const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } });

/** The APIs for the app's server, which names the shop in X-Forwarded-Host. */
function addApis(router: Router, { store, events }: Parts): void {
  const onlyThisShop: MiddlewareHandler = async (context, next) => {
    const host = context.req.header("x-forwarded-host") ?? context.req.header("host");
    if (host === store.shop.domain) await next();
    else context.res = context.json({ errors: "Not Found" }, 404);
  };
  router.use("/admin/oauth/*", onlyThisShop);
  router.use("/admin/api/*", onlyThisShop);
  router.post("/admin/oauth/access_token", (context) => tokenEndpoint(store, context.req.raw));
  router.post("/admin/api/:version/graphql.json", (context) =>
    graphqlEndpoint(store, events, context.req.param("version"), context.req.raw),
  );
}

/** The APIs and the login for browsers at another origin, which reach the store at its own address. The app's server uses the second. */
function addHeadlessApis(router: Router, { store }: Parts): void {
  const { javaScriptOrigins } = store.options.customerAccountClient;
  const forPublicClient = cors({
    origin: (origin) => (javaScriptOrigins.includes(origin) ? origin : null),
    allowMethods: ["POST"],
  });
  const forEveryOrigin = cors({ origin: "*", allowMethods: ["GET", "POST"] });
  const onlyThisShop: MiddlewareHandler<{ Bindings: Bindings }> = async (context, next) => {
    const host = context.req.header("x-forwarded-host") ?? context.req.header("host");
    const { storefront } = context.env.requestContext.addresses;
    if (host === store.shop.domain || host === new URL(storefront).host) await next();
    else context.res = context.json({ errors: "Not Found" }, 404);
  };

  router.use("/api/*", onlyThisShop, forEveryOrigin);
  router.post("/api/:version/graphql.json", (context) =>
    storefrontApi(store, context.req.param("version"), context.req.raw, context.env.requestContext),
  );

  router.use("/customer/api/*", onlyThisShop, forPublicClient);
  router.post("/customer/api/:version/graphql", (context) => customerAccountApi(store, context.req.raw));

  router.use("/.well-known/*", forEveryOrigin);
  router.get("/.well-known/customer-account-api", (context) =>
    discovery(store, context.req.raw, context.env.requestContext),
  );
  router.get("/.well-known/openid-configuration", (context) => openIdConfiguration(store, context.env.requestContext));

  const issuer = `${LOGIN_PATH}/${store.shop.id}`;
  router.on(["GET", "POST"], `${issuer}/oauth/authorize`, refuseCrossSite, (context) =>
    authorize(store, context.req.raw),
  );
  router.get(`${issuer}/logout`, (context) => logout(store, context.req.raw, context.env.requestContext));
  router.use(`${issuer}/oauth/token`, forPublicClient);
  router.post(`${issuer}/oauth/token`, (context) =>
    customerTokenEndpoint(store, context.req.raw, context.env.requestContext),
  );
  router.use(`${issuer}/.well-known/*`, forEveryOrigin);
  router.get(`${issuer}/.well-known/jwks.json`, () => jsonWebKeySet(store));
}

function addAdmin(router: Router, { store, events }: Parts): void {
  const paths = adminPaths(store);
  router.get("/admin", () => seeOther(paths.home));
  router.get(paths.home, (context) => adminHome(store, context.env.requestContext.addresses));
  for (const path of ["/admin/themes/current/editor", `${paths.home}/themes/current/editor`]) {
    router.get(path, (context) =>
      themeEditor(store, context.env.requestContext.addresses, new URL(context.req.url).searchParams),
    );
  }
  for (const kind of RESOURCES) {
    router.get(`${paths.home}/${kind}/:id?`, (context) =>
      resourcePage(store, context.env.requestContext.addresses, kind, context.req.param("id")),
    );
    router.get(`/admin/${kind}/:id?`, (context) =>
      seeOther(paths.home + new URL(context.req.url).pathname.replace(/^\/admin/, "")),
    );
  }
  // Apps link to Flow as `shopify://admin/apps/flow`.
  router.get(`${paths.home}/apps/flow`, () => seeOther(`${paths.home}/flow`));
  router.get(`${paths.home}/flow`, (context) => flowPage(store, context.env.requestContext.addresses));
  router.get(`${paths.home}/inbox`, (context) => inboxPage(store, context.env.requestContext, context.req.query()));
  router.get(`${paths.home}/inbox/:id/html`, (context) =>
    messageHtml(store, context.env.requestContext, context.req.param("id"), context.req.query("scheme") ?? ""),
  );
  router.post(`${paths.home}/inbox/:id/unsubscribe`, (context) =>
    unsubscribe(store, context.env.requestContext, context.req.param("id")),
  );
  router.get(`${paths.home}/klaviyo`, (context) => klaviyoPage(store, context.env.requestContext.addresses));
  router.get(`${paths.home}/orders`, (context) => ordersPage(store, context.env.requestContext.addresses));
  router.get(`${paths.home}/orders/:id`, (context) =>
    orderPage(store, context.env.requestContext.addresses, context.req.param("id")),
  );
  router.get(`${paths.home}/draft_orders`, (context) => draftOrdersPage(store, context.env.requestContext.addresses));
  router.get(`${paths.home}/draft_orders/:id`, (context) =>
    draftOrderPage(store, context.env.requestContext.addresses, context.req.param("id")),
  );
  router.post("/admin/themes/current/editor", (context) => saveBlock(store, context.req.raw));
  router.post(`${paths.home}/bridge/:name`, (context) =>
    bridge(store, context.env.requestContext.addresses, context.req.param("name")),
  );
  router.post(`${paths.home}/bridge/scopes/:decision`, (context) =>
    decideScopes(store, events, context.req.param("decision"), context.req.raw),
  );
  router.post(`${paths.app}/install`, () => {
    install(store);
    return seeOther(paths.app);
  });
  router.get(`${paths.home}/apps/:handle/*`, (context) =>
    framedApp(store, context.req.raw, context.env.requestContext),
  );
  router.get(`${paths.home}/apps/:handle`, (context) => framedApp(store, context.req.raw, context.env.requestContext));

  const charge = `${paths.home}/charges/:handle/:id/RecurringApplicationCharge/confirm_recurring_application_charge`;
  router.get(charge, (context) =>
    confirmationPage(store, context.env.requestContext.addresses, context.req.param("id") ?? ""),
  );
  router.post(charge, (context) =>
    decideCharge(store, events, context.env.requestContext, context.req.param("id") ?? "", context.req.raw),
  );
}

/** Renders the app in the admin; the address contains the app's handle or its API key. */
async function framedApp(store: Store, request: Request, { addresses }: RequestContext): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const [, , , , handle, ...rest] = pathname.split("/");
  const { appHandle, apiKey } = store.options;
  if (handle !== appHandle && handle !== apiKey) return new Response("Unknown app", { status: 404 });
  return appPage(store, addresses, rest.length === 0 ? "" : `/${rest.join("/")}`, search);
}

/** Routes the requests to all hosts of one store: no two hosts of Shopify's share a path. */
export function createRouter(parts: Parts): Router {
  const { store, events, sender, bundle } = parts;
  const router: Router = new Hono();
  const paths = adminPaths(store);

  router.onError((error) => {
    process.stderr.write(`devstore: ${error.stack ?? error.message}\n`);
    return new Response(`The devstore failed: ${error.message}\n`, { status: 500 });
  });

  for (const path of ["/devstore/*", `${paths.home}/*`, "/admin/themes/*"]) router.use(path, refuseCrossSite);

  addApis(router, parts);
  addHeadlessApis(router, parts);
  addAdmin(router, parts);
  router.get("/devstore", (context) =>
    controlPage(store, context.env.requestContext.addresses, sender, context.req.query("product") ?? null),
  );
  router.get("/devstore/api/state", () => controlState(store, sender));
  router.get("/devstore/api/inbox", (context) => inboxApi(store, new URL(context.req.url)));
  router.get("/devstore/api/klaviyo", () =>
    Response.json({
      key: store.klaviyo.key,
      profiles: store.klaviyo.profiles(),
      events: store.klaviyo.events(),
      requests: store.klaviyo.requests(),
    }),
  );
  router.post("/devstore/api/:action", (context) =>
    controlApi(store, events, sender, context.req.param("action"), context.req.raw),
  );
  router.all("*", async (context) => {
    const asset = await cdn(store, bundle, new URL(context.req.url).pathname);
    const account = asset ?? (await accountPages(store, context.req.raw, context.env.requestContext));
    return account ?? (await storefront(store, events, context.req.raw, context.env.requestContext));
  });
  return router;
}
