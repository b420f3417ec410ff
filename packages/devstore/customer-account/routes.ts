import { html, raw } from "hono/html";
import { bundleUiExtension, readUiExtensions, type UiExtension } from "../../../extensions/account-extension.ts";
import { LOGIN_COOKIE, readCookie } from "../foundation/cookies.ts";
import { scriptJson } from "../foundation/html.ts";
import { PRIMARY_LOCALE, type RequestContext } from "../foundation/request-context.ts";
import { readTexts, translate } from "../foundation/translations.ts";
import type { StoreCustomer } from "../store/customers.ts";
import { createCustomerSessionToken } from "../store/session-tokens.ts";
import type { Store } from "../store/store.ts";
import { ACCOUNT_CSS } from "./styles.ts";

const SCRIPTS = "/shopifycloud/extensions/wishlist-account/";
const FULL_PAGE = "customer-account.page.render";
const PROFILE_BLOCK = "customer-account.profile.block.render";

type Context = Omit<RequestContext, "locale">;

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}

/** Returns the page's language: that of `locale` in its address, if the store has it. */
function localeOf(store: Store, url: URL): string {
  const wanted = url.searchParams.get("locale") ?? PRIMARY_LOCALE;
  return store.options.locales.includes(wanted) ? wanted : PRIMARY_LOCALE;
}

interface AccountPage {
  store: Store;
  context: Context;
  customer: StoreCustomer;
  locale: string;
}

/** Renders a page of the customer accounts with one extension in it. */
async function accountPage(
  { store, context, customer, locale }: AccountPage,
  extension: UiExtension | undefined,
  profile: boolean,
): Promise<Response> {
  const texts = readTexts(`${store.options.accountExtension}/locales`);
  const { addresses } = context;
  const setup = extension && {
    target: extension.target,
    script: `${addresses.cdn}${SCRIPTS}${extension.handle}.js`,
    worker: `${addresses.cdn}/shopifycloud/customer-account-worker.js`,
    locale,
    texts: [texts.get(locale), texts.get("default")],
    customerId: `gid://shopify/Customer/${customer.id}`,
  };
  const query = locale === PRIMARY_LOCALE ? "" : `?locale=${locale}`;
  const title = profile ? "Profile" : extension ? translate(texts, locale, extension.name.slice(2), {}) : "";
  const page = html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>${title} – ${store.shop.name}</title>
        <link rel="icon" href="data:," />
        <style>
          ${raw(ACCOUNT_CSS)}
        </style>
        <script type="application/json" id="setup">
          ${raw(scriptJson(setup ?? null))}
        </script>
        <script src="${addresses.cdn}/shopifycloud/customer-account.js" defer></script>
      </head>
      <body>
        <header class="top">
          <a class="store" href="${addresses.storefront}/">${store.shop.name}</a>
          <nav aria-label="Account">
            <a href="/account/profile${query}">Profile</a>
            <a href="/account/logout">Log out</a>
          </nav>
        </header>
        <main>
          ${
            profile
              ? html`<h1>Profile</h1>
                  <section class="card">
                    <h2>${customer.firstName} ${customer.lastName}</h2>
                    <p>${customer.email}</p>
                  </section>`
              : ""
          }
          <div id="extension" class="${profile ? "card" : ""}"></div>
        </main>
        <div id="toast" role="status" aria-live="polite"></div>
      </body>
    </html>`;
  return new Response(String(await page), {
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}

async function script(store: Store, handle: string, { translation }: Context): Promise<Response | undefined> {
  const { accountExtension, appUrl } = store.options;
  const extension = (await readUiExtensions(accountExtension)).find((one) => one.handle === handle);
  if (!extension) return undefined;
  const code = await bundleUiExtension(accountExtension, extension, appUrl);
  return new Response(translation.toLocal(code), {
    headers: { "content-type": "text/javascript; charset=utf-8", "access-control-allow-origin": "*" },
  });
}

/** Handles a request to the customer accounts and to the scripts of their extensions. @returns undefined for any other path */
export async function accountPages(store: Store, request: Request, context: Context): Promise<Response | undefined> {
  const url = new URL(request.url);
  const [, handle] = /^\/shopifycloud\/extensions\/wishlist-account\/([\w-]+)\.js$/.exec(url.pathname) ?? [];
  if (handle !== undefined) return script(store, handle, context);
  // Behind the handle of a full page, the path is the extension's.
  const [, kind, name] =
    /^\/account\/(profile|pages(?=\/)|session-token)(?:\/([\w-]+)(?:\/.*)?)?$/.exec(url.pathname) ?? [];
  if (kind === undefined) return undefined;
  const customerId = store.customerSessions.customerId(readCookie(request, LOGIN_COOKIE));
  const customer = customerId === undefined ? undefined : store.customers.byId(customerId);
  if (kind === "session-token") {
    // A page of another site can't send this request: it needs the cookie, which is for requests of the same site.
    if (request.method !== "POST") return new Response("Method Not Allowed", { status: 405 });
    if (!customer) return Response.json({ error: "The customer is not logged in" }, { status: 401 });
    const known = store.protectedCustomerData ? customer.id : undefined;
    return Response.json(
      { token: createCustomerSessionToken(store, known) },
      { headers: { "cache-control": "no-store" } },
    );
  }
  if (!customer) return redirect(`/account/login?return_url=${encodeURIComponent(url.pathname + url.search)}`);
  const page = { store, context, customer, locale: localeOf(store, url) };
  const extensions = store.installation.installed ? await readUiExtensions(store.options.accountExtension) : [];
  if (kind === "profile") {
    const block = extensions.find(({ target }) => target === PROFILE_BLOCK);
    return accountPage(page, block, true);
  }
  const extension = extensions.find((one) => one.handle === name && one.target === FULL_PAGE);
  return extension ? accountPage(page, extension, false) : undefined;
}
