import { splitLocale, type RequestContext } from "../foundation/request-context.ts";
import type { Collection } from "../store/catalog.ts";
import { recordRequest, type Store } from "../store/store.ts";
import type { StoreEvents } from "../webhooks/events.ts";
import type { Slot } from "../store/theme-extension.ts";
import { login, logout } from "./account.ts";
import { ajaxCart, withCart } from "./ajax-cart.ts";
import { checkout } from "./checkout.ts";
import { proxyPrefix } from "./proxy-prefix.ts";
import { appProxy } from "./app-proxy.ts";
import { rootsOf, STOREFRONT_LOGIN, type PageSubject } from "./globals.ts";
import { productObject } from "./objects.ts";
import { renderPage } from "./page.ts";
import { readStorefrontContext, type StorefrontContext } from "./context.ts";

function collectionPage(context: StorefrontContext, { handle, title, products }: Collection): PageSubject {
  const roots = rootsOf(context);
  return {
    template: "collection",
    title,
    objects: {
      collection: {
        handle,
        title,
        url: `${roots.path}/collections/${handle}`,
        products: products.map((product) => productObject(product, roots)),
        products_count: products.length,
        all_products_count: products.length,
      },
    },
  };
}

function loginPage({ customers }: Store, { url }: StorefrontContext): PageSubject {
  const { searchParams } = url;
  const objects = {
    return_url: searchParams.get("return_url") ?? searchParams.get("return_to"),
    demo_customers: customers.demoLogins().map(({ id, firstName, lastName, email }) => ({
      id,
      name: `${firstName} ${lastName}`,
      email,
    })),
  };
  return { template: "login", title: "Log in", objects };
}

/** @returns undefined when the theme has no such page */
function findPage(store: Store, context: StorefrontContext): { subject: PageSubject; slot?: Slot } | undefined {
  const { published } = store.catalog;
  const { pathname, searchParams } = context.url;
  const roots = rootsOf(context);
  const [, kind, handle, more] = pathname.split("/");
  switch (kind) {
    case "": {
      const featured = published.listed().filter((_product, index) => index % 14 === 0);
      const objects = { featured: featured.slice(0, 8).map((product) => productObject(product, roots)) };
      return { subject: { template: "index", title: store.shop.name, objects } };
    }
    case "collections": {
      if (more === "products") return undefined;
      const all: Collection = { handle: "all", title: "All products", products: [...published.listed()] };
      if (handle === undefined) return { subject: { template: "list-collections", title: "Collections" } };
      const collection = handle === "all" ? all : published.collections().find((one) => one.handle === handle);
      return collection === undefined ? undefined : { subject: collectionPage(context, collection) };
    }
    case "products": {
      const product = published.byHandle(handle ?? "");
      if (product === undefined) return undefined;
      const variant = product.variants.find(({ id }) => id === searchParams.get("variant"));
      const related = published
        .listed()
        .filter((other) => other.productType === product.productType && other !== product)
        .slice(0, 4);
      return {
        subject: {
          template: "product",
          title: product.title,
          resourceId: product.id,
          objects: {
            product: productObject(product, roots, variant?.id),
            related: related.map((other) => productObject(other, roots)),
          },
        },
        slot: "product",
      };
    }
    case "cart":
      return handle === undefined ? { subject: { template: "cart", title: "Your cart" } } : undefined;
    case "pages":
      if (handle !== "wishlist") return undefined;
      return {
        subject: { template: "page", title: "Wishlist", objects: { page: { title: "Wishlist", handle } } },
        slot: "page",
      };
    case "search": {
      const terms = searchParams.get("q")?.trim() ?? "";
      const fits = (text: string) => text.toLowerCase().includes(terms.toLowerCase());
      const found = published.listed().filter(({ title, productType }) => fits(title) || fits(productType));
      const results = terms === "" ? [] : found.map((product) => productObject(product, roots));
      return {
        subject: {
          template: "search",
          title: "Search",
          objects: { search: { terms, results, results_count: results.length } },
        },
      };
    }
    case "account":
      if (handle === "login") return { subject: loginPage(store, context) };
      return handle === undefined ? { subject: { template: "account", title: "Account" } } : undefined;
    default:
      return pathname === STOREFRONT_LOGIN ? { subject: loginPage(store, context) } : undefined;
  }
}

/** Returns `/products/{handle}.js` of the Ajax API: prices in cents, no image objects. */
function productJson(store: Store, context: StorefrontContext): Response | undefined {
  const handle = /^\/products\/([^/]+)\.js$/.exec(context.url.pathname)?.[1];
  if (handle === undefined) return undefined;
  const product = store.catalog.published.byHandle(handle);
  if (product === undefined) return Response.json({ status: 404, message: "Not Found" }, { status: 404 });
  const {
    featured_image: image,
    options_with_values: options,
    images,
    ...rest
  } = productObject(product, rootsOf(context));
  return Response.json({
    ...rest,
    options: options.map(({ name, position, values }) => ({ name, position, values })),
    images: images.map(({ src }) => src),
    featured_image: image?.src ?? null,
    media: images.map(({ src, alt, width, height }) => ({ alt, media_type: "image", src, width, height })),
  });
}

async function page(store: Store, context: StorefrontContext): Promise<Response> {
  const found = findPage(store, context);
  const { subject, slot } = found ?? { subject: { template: "404", title: "Page not found", status: 404 } };
  return renderPage(store, context, subject, slot);
}

/** With the full-page cache on, every shopper receives the page rendered for a guest. */
async function cachedPage(store: Store, context: StorefrontContext, request: Request): Promise<Response> {
  const { pages } = store.pageCache;
  const key = `${context.addresses.storefront} ${context.locale} ${context.url.pathname}${context.url.search}`;
  const cached = pages.get(key);
  const headers = { "content-type": "text/html; charset=utf-8", "x-cache": cached === undefined ? "miss" : "hit" };
  if (cached !== undefined) return new Response(cached, { headers });
  const guest = { ...context, customer: undefined, cart: store.carts.open(undefined) };
  const response = await page(store, guest);
  if (response.status !== 200) return response;
  const html = await response.text();
  if (request.method === "GET") pages.set(key, html);
  return new Response(html, { headers });
}

/** Paths that are never cached. */
const PERSONAL = /^\/(?:cart|checkout|account|customer_authentication)/;

/** Handles a request to the storefront: app proxy, account, Ajax API, checkout and pages. */
export async function storefront(
  store: Store,
  events: StoreEvents,
  request: Request,
  requestContext: Omit<RequestContext, "locale">,
): Promise<Response> {
  const url = new URL(request.url);
  recordRequest(store.storefrontRequests, { method: request.method, path: url.pathname });
  const { locale, pathname } = splitLocale(url.pathname, store.options.locales);
  url.pathname = pathname;
  const context = readStorefrontContext(store, request, { ...requestContext, locale }, url);
  const prefix = proxyPrefix(store);
  if (pathname === prefix || pathname.startsWith(`${prefix}/`)) return appProxy(store, context, request);
  if (pathname === "/account/login" && request.method === "POST") return login(store, context, request);
  if (pathname === "/account/logout") return logout(store, context, request);
  const cart = await ajaxCart(store, context, request);
  if (cart !== undefined) return cart;
  const checkoutResponse = await checkout(store, events, context, request);
  if (checkoutResponse !== undefined) return withCart(context, checkoutResponse);
  if (request.method !== "GET" && request.method !== "HEAD") return new Response("Method Not Allowed", { status: 405 });
  const json = productJson(store, context);
  if (json !== undefined) return json;
  const { renderPage } = store.options;
  if (renderPage !== undefined) {
    const html = renderPage(url, context.customer?.id ?? "");
    if (html === undefined) return new Response("Not Found", { status: 404 });
    return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
  }
  if (store.pageCache.on && !PERSONAL.test(pathname)) return cachedPage(store, context, request);
  return withCart(context, await page(store, context));
}
