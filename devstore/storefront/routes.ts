import type { Arrival } from "../http/visit.ts";
import { splitLocale } from "../http/visit.ts";
import type { Collection } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { login, logout } from "./account.ts";
import { ajaxCart, withCart } from "./ajax-cart.ts";
import { proxyPrefix } from "./app-proxy-prefix.ts";
import { appProxy } from "./app-proxy.ts";
import { rootsOf, type Subject } from "./globals.ts";
import { productObject } from "./objects.ts";
import { renderPage } from "./page.ts";
import type { Slot } from "./extension.ts";
import { readVisit, type Visit } from "./visitor.ts";

function collectionPage(visit: Visit, { handle, title, products }: Collection): Subject {
  const roots = rootsOf(visit);
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

/** @returns undefined when the theme has no such page */
function findPage(store: Store, visit: Visit): { subject: Subject; slot?: Slot } | undefined {
  const { shown } = store.catalogue;
  const { pathname, searchParams } = visit.url;
  const roots = rootsOf(visit);
  const [, kind, handle, more] = pathname.split("/");
  switch (kind) {
    case "": {
      const featured = shown.listed().filter((_product, place) => place % 14 === 0);
      const objects = { featured: featured.slice(0, 8).map((product) => productObject(product, roots)) };
      return { subject: { template: "index", title: store.shop.name, objects } };
    }
    case "collections": {
      if (more === "products") return undefined;
      const all: Collection = { handle: "all", title: "All products", products: [...shown.listed()] };
      if (handle === undefined) return { subject: { template: "list-collections", title: "Collections" } };
      const collection = handle === "all" ? all : shown.collections().find((one) => one.handle === handle);
      return collection === undefined ? undefined : { subject: collectionPage(visit, collection) };
    }
    case "products": {
      const product = shown.byHandle(handle ?? "");
      if (product === undefined) return undefined;
      const variant = product.variants.find(({ id }) => id === searchParams.get("variant"));
      const related = shown
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
      const found = shown.listed().filter(({ title, productType }) => fits(title) || fits(productType));
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
      if (handle === "login") {
        const objects = {
          demo_customers: store.customers.toLogIn.map(({ id, firstName, lastName, email }) => ({
            id,
            name: `${firstName} ${lastName}`,
            email,
          })),
        };
        return { subject: { template: "login", title: "Log in", objects } };
      }
      return handle === undefined ? { subject: { template: "account", title: "Account" } } : undefined;
    default:
      return undefined;
  }
}

/** `/products/{handle}.js`, the Ajax API's product: prices in cents, no image objects. */
function productJson(store: Store, visit: Visit): Response | undefined {
  const handle = /^\/products\/([^/]+)\.js$/.exec(visit.url.pathname)?.[1];
  if (handle === undefined) return undefined;
  const product = store.catalogue.shown.byHandle(handle);
  if (product === undefined) return Response.json({ status: 404, message: "Not Found" }, { status: 404 });
  const {
    featured_image: image,
    options_with_values: options,
    images: _images,
    ...shown
  } = productObject(product, rootsOf(visit));
  return Response.json({
    ...shown,
    options: options.map(({ name, position, values }) => ({ name, position, values })),
    images: [image.src],
    featured_image: image.src,
    media: [{ alt: image.alt, media_type: "image", src: image.src, width: image.width, height: image.height }],
  });
}

async function page(store: Store, visit: Visit): Promise<Response> {
  const found = findPage(store, visit);
  const { subject, slot } = found ?? { subject: { template: "404", title: "Page not found", status: 404 } };
  return renderPage(store, visit, subject, slot);
}

/** With the full-page cache on, whoever asks gets the page that a stranger got first. */
async function cachedPage(store: Store, visit: Visit, request: Request): Promise<Response> {
  const { pages } = store.pageCache;
  const key = `${visit.arrival.addresses.storefront} ${visit.arrival.locale} ${visit.url.pathname}${visit.url.search}`;
  const known = pages.get(key);
  const headers = { "content-type": "text/html; charset=utf-8", "x-cache": known === undefined ? "miss" : "hit" };
  if (known !== undefined) return new Response(known, { headers });
  const stranger = { ...visit, customer: undefined, cart: store.carts.open(undefined) };
  const answer = await page(store, stranger);
  if (answer.status !== 200) return answer;
  const html = await answer.text();
  if (request.method === "GET") pages.set(key, html);
  return new Response(html, { headers });
}

const PERSONAL = /^\/(?:cart|account)/;

export async function storefront(store: Store, request: Request, arrival: Omit<Arrival, "locale">): Promise<Response> {
  const url = new URL(request.url);
  const { locale, pathname } = splitLocale(url.pathname);
  url.pathname = pathname;
  const visit = readVisit(store, request, { ...arrival, locale }, url);
  const prefix = proxyPrefix(store);
  if (pathname === prefix || pathname.startsWith(`${prefix}/`)) return appProxy(store, visit, request);
  if (pathname === "/account/login" && request.method === "POST") return login(store, visit, request);
  if (pathname === "/account/logout") return logout(store, visit, request);
  const cart = await ajaxCart(store, visit, request);
  if (cart !== undefined) return cart;
  if (request.method !== "GET" && request.method !== "HEAD") return new Response("Method Not Allowed", { status: 405 });
  const json = productJson(store, visit);
  if (json !== undefined) return json;
  if (store.pageCache.on && !PERSONAL.test(pathname)) return cachedPage(store, visit, request);
  return withCart(visit, await page(store, visit));
}
