import { createDevstore, type Devstore } from "../../../packages/devstore/devstore.ts";
import type { Store as DevstoreState } from "../../../packages/devstore/store/store.ts";
import { themePage, type PageOptions } from "./theme-pages.ts";
import { products, WishlistService, type Products } from "./wishlist-service.ts";

export interface ProxyRequest {
  path: string;
  body: Record<string, unknown>;
}

/** The theme and the products of a store, by default those of `theme-pages.ts` and `wishlist-service.ts`. */
export interface Store {
  render?: (url: URL, customer: string, options: PageOptions) => string;
  catalog?: Products;
}

const PAGES = /^\/(?:collections|products|pages|cart)/;
const CUSTOMERS = ["1", "2", "3"];

/** The devstore's storefront with a theme of the test's own, in front of a test double of the service. */
export class Storefront {
  readonly service: WishlistService;
  page: PageOptions = {};
  readonly #devstore: Devstore;

  private constructor(devstore: Devstore, service: WishlistService) {
    this.#devstore = devstore;
    this.service = service;
  }

  static async start({ render = themePage, catalog = products }: Store = {}): Promise<Storefront> {
    const service = new WishlistService(catalog);
    const devstore = await createDevstore({
      app: (request) => service.respond(request),
      renderPage: (url, customer) => (PAGES.test(url.pathname) ? render(url, customer, storefront.page) : undefined),
    });
    const storefront = new Storefront(devstore, service);
    const state = devstore.store();
    state.catalog.put(...catalog.map((product) => ({ title: product.handle, ...product })));
    state.customers.add(...CUSTOMERS.map((id) => ({ id, firstName: "Customer", lastName: id, email: "" })));
    return storefront;
  }

  get url(): string {
    return this.#devstore.url;
  }

  get state(): DevstoreState {
    return this.#devstore.store();
  }

  /** requests to the app proxy's API, in order of arrival */
  get requests(): ProxyRequest[] {
    return this.service.requests;
  }

  set requests(requests: ProxyRequest[]) {
    this.service.requests = requests;
  }

  /** responses of the service that replace the next one to a path */
  get refusals(): WishlistService["refusals"] {
    return this.service.refusals;
  }

  /** number of requests for /cart.js */
  get cartReads(): number {
    return this.state.storefrontRequests.filter(({ path }) => path === "/cart.js").length;
  }

  /** Marks all products as sold out, which the cart refuses with 422, or as available. */
  set isSoldOut(isSoldOut: boolean) {
    for (const { id } of this.state.catalog.all()) this.state.catalog.edit(id, { available: !isSoldOut });
  }

  /** Holds the service's responses back. @returns releases them */
  hold(): () => void {
    let release = (): void => undefined;
    this.service.gate = new Promise((resolve) => (release = resolve));
    return release;
  }

  paths(): string[] {
    return this.requests.map(({ path }) => path);
  }

  close(): Promise<void> {
    return this.#devstore.close();
  }
}
