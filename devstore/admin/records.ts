import { html } from "hono/html";
import type { Addresses } from "../addresses.ts";
import type { StoreProduct } from "../store/catalogue.ts";
import type { StoreCustomer } from "../store/customers.ts";
import type { Store } from "../store/store.ts";
import { adminPage, adminPaths, type Html } from "./layout.ts";

/** What the admin has a list of, and where apps lead merchants: `shopify://admin/products/1`. */
export const RECORDS = ["products", "customers"] as const;
export type Records = (typeof RECORDS)[number];

function productFacts({ id, vendor, variants }: StoreProduct): Html {
  return html`<p class="soft">${vendor} · ${id}</p>
    <ul>
      ${variants.map(({ title, available }) => html`<li>${title}${available ? "" : ", sold out"}</li>`)}
    </ul>`;
}

function customerFacts({ id, email }: StoreCustomer): Html {
  return html`<p class="soft">${email} · ${id}</p>`;
}

function named({ firstName, lastName }: StoreCustomer): string {
  return `${firstName} ${lastName}`;
}

/** A list, or with an id the page of one. */
export async function recordsPage(
  store: Store,
  { storefront }: Addresses,
  kind: Records,
  id: string | undefined,
): Promise<Response> {
  const { catalogue, customers } = store;
  const titles = { products: "Products", customers: "Customers" };
  if (id === undefined) {
    const all =
      kind === "products"
        ? catalogue.all().map((product) => ({ id: product.id, title: product.title }))
        : customers.all.map((customer) => ({ id: customer.id, title: named(customer) }));
    const main = html`<main class="page">
      <h1>${titles[kind]}</h1>
      <div class="card">
        <ul>
          ${all.map((one) => html`<li><a href="${adminPaths(store).home}/${kind}/${one.id}">${one.title}</a></li>`)}
        </ul>
      </div>
    </main>`;
    return adminPage(store, storefront, titles[kind], main);
  }
  const product = kind === "products" ? catalogue.byId(id) : undefined;
  const customer = kind === "customers" ? customers.byId(id) : undefined;
  if (!product && !customer) return new Response("There is nothing here", { status: 404 });
  const title = product?.title ?? (customer ? named(customer) : "");
  const main = html`<main class="page">
    <h1>${title}</h1>
    <div class="card">${product ? productFacts(product) : customer ? customerFacts(customer) : ""}</div>
  </main>`;
  return adminPage(store, storefront, title, main);
}
