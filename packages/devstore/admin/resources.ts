import { html } from "hono/html";
import type { Addresses } from "../foundation/addresses.ts";
import type { StoreProduct } from "../store/catalog.ts";
import { isAvailable } from "../store/inventory.ts";
import type { StoreCustomer } from "../store/customers.ts";
import type { Store } from "../store/store.ts";
import { adminPage, adminPaths, type Html } from "./layout.ts";

/** Resources with pages in the admin, to which apps link as `shopify://admin/products/1`. */
export const RESOURCES = ["products", "customers"] as const;
export type Resource = (typeof RESOURCES)[number];

function productDetails({ id, vendor, variants }: StoreProduct): Html {
  return html`<p class="soft">${vendor} · ${id}</p>
    <ul>
      ${variants.map((variant) => html`<li>${variant.title}${isAvailable(variant) ? "" : ", sold out"}</li>`)}
    </ul>`;
}

function customerDetails({ id, email }: StoreCustomer): Html {
  return html`<p class="soft">${email} · ${id}</p>`;
}

function fullName({ firstName, lastName }: StoreCustomer): string {
  return `${firstName} ${lastName}`;
}

/** Renders the list of a resource, or with an id the page of one. */
export async function resourcePage(
  store: Store,
  { storefront }: Addresses,
  kind: Resource,
  id: string | undefined,
): Promise<Response> {
  const { catalog, customers } = store;
  const titles = { products: "Products", customers: "Customers" };
  if (id === undefined) {
    const all =
      kind === "products"
        ? catalog.all().map((product) => ({ id: product.id, title: product.title }))
        : customers.all().map((customer) => ({ id: customer.id, title: fullName(customer) }));
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
  const product = kind === "products" ? catalog.byId(id) : undefined;
  const customer = kind === "customers" ? customers.byId(id) : undefined;
  if (!product && !customer) return new Response("Not Found", { status: 404 });
  const title = product?.title ?? (customer ? fullName(customer) : "");
  const main = html`<main class="page">
    <h1>${title}</h1>
    <div class="card">${product ? productDetails(product) : customer ? customerDetails(customer) : ""}</div>
  </main>`;
  return adminPage(store, storefront, title, main);
}
