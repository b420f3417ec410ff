import { randomBytes } from "node:crypto";
import { MERCHANT_BROWSER, type Devstore } from "../../../packages/devstore/devstore.ts";
import type { NewProduct } from "../../../packages/devstore/store/catalog.ts";
import type { Store } from "../../../packages/devstore/store/store.ts";
import type { Service } from "./service.ts";
import { until } from "../until.ts";

/** A shop whose merchant has opened the app. */
export interface ConnectedShop {
  id: number;
  domain: string;
  /** its store in the devstore */
  store: Store;
  /** Returns a session token of a staff member. */
  sessionToken: (staff?: string) => string;
}

/** Opens the app in a new store, and waits until the app has its products and its plan. */
export async function connectShop(
  service: Service,
  shopify: Devstore,
  {
    domain = `store-${randomBytes(4).toString("hex")}.myshopify.com`,
    plan = "Growth",
    products = [],
  }: { domain?: string; plan?: string | undefined; products?: readonly NewProduct[] } = {},
): Promise<ConnectedShop> {
  const store = shopify.store(domain);
  if (plan !== "Free") store.subscriptions.replaceAll({ name: plan, status: "ACTIVE" });
  store.catalog.put(...products);
  const opened = await shopify.openApp({ app: service.url, shop: domain });
  if (opened.status !== 200) throw new Error(`the app responded with ${opened.status}`);
  const id = await until("the shop", async () => {
    const [row] = await service.database.rows<{ id: number }>(
      "SELECT s.id FROM shop s JOIN billing b ON b.shop_id = s.id WHERE domain = $1 AND catalog = 'ready'",
      [domain],
    );
    return row?.id;
  });
  return { id, domain, store, sessionToken: (staff = "4711") => shopify.sessionToken(domain, { sub: staff }) };
}

/** A staff member who uses the app's pages without a browser. */
export interface Merchant {
  /** Submits a form of a page. @returns the response as text */
  send: (path: string, fields: Record<string, string | string[]>) => Promise<string>;
  /** Requests a page's data. */
  page: (path: string) => Promise<Response>;
}

/** @param staff the staff member's id */
export function merchant(
  service: Pick<Service, "url">,
  { sessionToken }: Pick<ConnectedShop, "sessionToken">,
  staff = "4711",
): Merchant {
  const headers = () => ({
    "user-agent": MERCHANT_BROWSER,
    authorization: `Bearer ${sessionToken(staff)}`,
  });
  return {
    async send(path, fields) {
      const body = new URLSearchParams();
      for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one);
      // `?index` selects the index route of a page with child routes; other pages ignore it.
      const response = await fetch(`${service.url}${path}.data?index`, { method: "POST", headers: headers(), body });
      return response.text();
    },
    async page(path) {
      const [pathname = "", query = ""] = path.split("?");
      return fetch(`${service.url}${pathname}.data?${query}`, { headers: headers() });
    },
  };
}
