import { randomBytes } from "node:crypto";
import type { Service } from "./service.ts";
import { BROWSER, openApp, sessionToken, type StandIn } from "./shopify-stand-in.ts";
import { until } from "./until.ts";

/** A shop whose merchant has opened the app. */
export interface ConnectedShop {
  id: number;
  domain: string;
}

/** Opens the app in a new store, and waits until the app knows its products and what it pays for. */
export async function connectShop(service: Service, shopify: StandIn, plan = "Growth"): Promise<ConnectedShop> {
  const domain = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  shopify.subscriptions = plan === "Free" ? [] : [{ name: plan, status: "ACTIVE" }];
  const opened = await openApp(service.url, domain);
  if (opened.status !== 200) throw new Error(`the app was answered with ${opened.status}`);
  const id = await until("the shop", async () => {
    const [row] = await service.database.rows<{ id: number }>(
      "SELECT s.id FROM shop s JOIN billing b ON b.shop_id = s.id WHERE domain = $1 AND catalog = 'ready'",
      [domain],
    );
    return row?.id;
  });
  return { id, domain };
}

/** Somebody of a shop's staff before the app's pages, without a browser. */
export interface Merchant {
  /** Sends a form of a page. @returns what is answered, as text */
  send: (path: string, fields: Record<string, string | string[]>) => Promise<string>;
  /** A page's data. */
  page: (path: string) => Promise<Response>;
}

/** @param staff Shopify's id of who it is */
export function merchant(service: Service, { domain }: ConnectedShop, staff = "4711"): Merchant {
  const headers = () => ({
    "user-agent": BROWSER,
    authorization: `Bearer ${sessionToken(domain, { sub: staff })}`,
  });
  return {
    async send(path, fields) {
      const body = new URLSearchParams();
      for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one);
      // As Remix names the form of a page that has others beneath it; with the others it minds nothing.
      const answer = await fetch(`${service.url}${path}.data?index`, { method: "POST", headers: headers(), body });
      return answer.text();
    },
    async page(path) {
      const [pathname = "", query = ""] = path.split("?");
      return fetch(`${service.url}${pathname}.data?${query}`, { headers: headers() });
    },
  };
}
