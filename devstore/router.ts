import { Hono, type MiddlewareHandler } from "hono";
import { appPage } from "./admin/app-page.ts";
import { bridge } from "./admin/bridge.ts";
import { adminHome } from "./admin/home.ts";
import { adminPaths } from "./admin/layout.ts";
import { RECORDS, recordsPage } from "./admin/records.ts";
import { decideScopes } from "./admin/scopes.ts";
import { saveBlock, themeEditor } from "./admin/theme-editor.ts";
import { confirmationPage, decide } from "./billing/confirmation.ts";
import type { Script } from "./browser/bundle.ts";
import { controlApi, controlState, install } from "./control/actions.ts";
import { controlPage } from "./control/page.ts";
import { graphqlEndpoint } from "./graphql/endpoint.ts";
import { cdn } from "./http/assets.ts";
import type { Arrival } from "./http/visit.ts";
import { tokenEndpoint } from "./oauth/token-endpoint.ts";
import { storefront } from "./storefront/routes.ts";
import type { Store } from "./store/store.ts";
import type { Hooks } from "./webhooks/hooks.ts";
import type { Sender } from "./webhooks/sender.ts";

export interface Bindings {
  arrival: Arrival;
}

interface Parts {
  store: Store;
  hooks: Hooks;
  sender: Sender;
  bundle: (script: Script) => Promise<string>;
}

const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } });

/** Everything of Shopify's, under whatever name it is asked: no two hosts of Shopify's share a path. */
export function createRouter({ store, hooks, sender, bundle }: Parts): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>();
  const paths = adminPaths(store);

  app.onError((error) => {
    process.stderr.write(`devstore: ${error.stack ?? error.message}\n`);
    return new Response(`The devstore failed: ${error.message}\n`, { status: 500 });
  });

  // What the app's server asks. It says which shop it means, as the name is lost on the way here.
  const ofThisShop: MiddlewareHandler = async (context, next) => {
    const host = context.req.header("x-forwarded-host") ?? context.req.header("host");
    if (host === store.shop.domain) await next();
    else context.res = context.json({ errors: "Not Found" }, 404);
  };
  app.use("/admin/oauth/*", ofThisShop);
  app.use("/admin/api/*", ofThisShop);
  app.post("/admin/oauth/access_token", (context) => tokenEndpoint(store, context.req.raw));
  app.post("/admin/api/:version/graphql.json", (context) =>
    graphqlEndpoint(store, hooks, context.req.param("version"), context.req.raw),
  );

  // A website that a developer happens to visit must not press these buttons.
  const fromHere: MiddlewareHandler = async (context, next) => {
    if (context.req.header("sec-fetch-site") !== "cross-site" || context.req.method === "GET") await next();
    else context.res = context.json({ ok: false, error: "asked from another site" }, 403);
  };
  app.use("/devstore/*", fromHere);
  app.use(`${paths.home}/*`, fromHere);
  app.use("/admin/themes/*", fromHere);

  // The admin.
  app.get("/admin", () => seeOther(paths.home));
  app.get(paths.home, (context) => adminHome(store, context.env.arrival.addresses));
  app.get("/admin/themes/current/editor", (context) =>
    themeEditor(store, context.env.arrival.addresses, new URL(context.req.url).searchParams),
  );
  app.get(`${paths.home}/themes/current/editor`, (context) =>
    themeEditor(store, context.env.arrival.addresses, new URL(context.req.url).searchParams),
  );
  for (const kind of RECORDS) {
    app.get(`${paths.home}/${kind}/:id?`, (context) =>
      recordsPage(store, context.env.arrival.addresses, kind, context.req.param("id")),
    );
    app.get(`/admin/${kind}/:id?`, (context) =>
      seeOther(paths.home + new URL(context.req.url).pathname.replace(/^\/admin/, "")),
    );
  }
  app.post("/admin/themes/current/editor", (context) => saveBlock(store, context.req.raw));
  app.post(`${paths.home}/bridge/:name`, (context) =>
    bridge(store, context.env.arrival.addresses, context.req.param("name")),
  );
  app.post(`${paths.home}/bridge/scopes/:decision`, (context) =>
    decideScopes(store, hooks, context.req.param("decision"), context.req.raw),
  );
  app.post(`${paths.app}/install`, () => {
    install(store);
    return seeOther(paths.app);
  });
  app.get(`${paths.home}/apps/:handle/*`, (context) => inFrame(context.req.raw, context.env.arrival));
  app.get(`${paths.home}/apps/:handle`, (context) => inFrame(context.req.raw, context.env.arrival));

  /** The app goes by its handle and by its API key. */
  async function inFrame(request: Request, arrival: Arrival): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const [, , , , handle, ...rest] = pathname.split("/");
    const { appHandle, apiKey } = store.options;
    if (handle !== appHandle && handle !== apiKey) return new Response("There is no such app", { status: 404 });
    return appPage(store, arrival.addresses, rest.length === 0 ? "" : `/${rest.join("/")}`, search);
  }

  const charge = `${paths.home}/charges/:handle/:id/RecurringApplicationCharge/confirm_recurring_application_charge`;
  app.get(charge, (context) => confirmationPage(store, context.env.arrival.addresses, context.req.param("id") ?? ""));
  app.post(charge, (context) =>
    decide(store, hooks, context.env.arrival, context.req.param("id") ?? "", context.req.raw),
  );

  // Ours.
  app.get("/devstore", (context) => controlPage(store, context.env.arrival.addresses, sender));
  app.get("/devstore/api/state", () => controlState(store, sender));
  app.post("/devstore/api/:action", (context) =>
    controlApi(store, hooks, sender, context.req.param("action"), context.req.raw),
  );

  app.all("*", async (context) => {
    const asset = await cdn(store, bundle, new URL(context.req.url).pathname);
    return asset ?? (await storefront(store, context.req.raw, context.env.arrival));
  });
  return app;
}
