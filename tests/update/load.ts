import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { newGuest, signedQuery } from "../support/app/storefront.ts";

/** What the clients of a shop have been told. */
export interface Account {
  requests: number;
  /** requests without a response, and those with another status than expected */
  failures: string[];
  /** items that must be stored, as `customer product` */
  stored: Set<string>;
  /** webhooks that must arrive, as `event customer product` */
  events: string[];
  /** whether a client is still running */
  isOver: boolean;
}

export interface Shop {
  domain: string;
  keyId: string;
  secret: string;
}

/** Milliseconds between two rounds of a client. */
const PAUSE_MS = 10;
/** Rounds after which a client goes on with another customer, whose list is then far below the shop's limit. */
const ROUNDS_PER_CUSTOMER = 200;

const body = z.object({ data: z.record(z.string(), z.unknown()) });

class Client {
  readonly #url: string;
  readonly #account: Account;
  token = "";

  constructor(url: string, account: Account) {
    this.#url = url;
    this.#account = account;
  }

  /** Exchanges the key for a token; keeps the old one if that fails. */
  async authenticate({ keyId, secret }: Shop): Promise<void> {
    const data = await this.call("POST", "/v1/auth/token", { json: { api_key: keyId, api_secret: secret } });
    this.token = z.object({ token: z.string() }).safeParse(data).data?.token ?? this.token;
  }

  /** @returns the data of the response; undefined for an unexpected status, which is recorded */
  async call(
    method: string,
    path: string,
    { json, headers = {}, status = 200 }: { json?: object; headers?: Record<string, string>; status?: number } = {},
  ): Promise<Record<string, unknown> | undefined> {
    this.#account.requests++;
    try {
      const response = await fetch(`${this.#url}${path}`, {
        method,
        headers: {
          ...(path.startsWith("/v1") ? { authorization: `Bearer ${this.token}` } : {}),
          ...(json ? { "content-type": "application/json" } : {}),
          ...headers,
        },
        ...(json ? { body: JSON.stringify(json) } : {}),
        signal: AbortSignal.timeout(30_000),
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
      if (response.status === status) return isJson ? (body.safeParse(JSON.parse(text)).data?.data ?? {}) : {};
      this.#account.failures.push(`${method} ${path.split("?")[0] ?? ""}: ${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
      this.#account.failures.push(`${method} ${path.split("?")[0] ?? ""}: ${String(error)}${cause}`);
    }
    return undefined;
  }
}

/** Changes and reads wishlists of one customer after the other through /v1, round after round. */
export async function useApi(url: string, shop: Shop, account: Account, name: string): Promise<void> {
  const client = new Client(url, account);
  for (let n = 0; !account.isOver; n++) {
    await pause(PAUSE_MS);
    const customer = `${name}-${Math.floor(n / ROUNDS_PER_CUSTOMER)}`;
    const mine = `/v1/wishlists/${customer}`;
    if (n % 10 === 0) await client.authenticate(shop);
    const product = `p${n}`;
    const item = { product_id: product, variant_id: "v" };
    const added = await client.call("POST", `${mine}/items`, { json: item });
    if (added?.["added"] === true) {
      account.stored.add(`${customer} ${product}`);
      account.events.push(`wishlist.item.added ${customer} ${product}`);
    }
    await client.call("GET", `${mine}?limit=20`);
    const items = [{ productId: `m${n}`, variantId: "v", addedAt: "2026-01-01T00:00:00.000Z" }];
    const merged = await client.call("POST", `${mine}/merge`, { json: { items } });
    if (merged?.["addedCount"] === 1) {
      account.stored.add(`${customer} m${n}`);
      account.events.push(`wishlist.item.added ${customer} m${n}`);
    }
    const removed = await client.call("DELETE", `${mine}/items/m${n}`);
    if (removed && merged) account.stored.delete(`${customer} m${n}`);
    if (n % 5 === 0) {
      const link = await client.call("GET", `${mine}/share`);
      if (link) await client.call("GET", `/v1/wishlists/shared/${String(link["shareToken"])}`);
      await client.call("DELETE", `${mine}/share`);
    }
    if (n % 7 === 0) {
      for (const report of ["overview", "daily", "top-products", `product/${product}`])
        await client.call("GET", `/v1/analytics/${report}`);
    }
  }
}

/** Creates, reads, changes and deletes webhooks. */
export async function useWebhooks(url: string, shop: Shop, account: Account, receiver: string): Promise<void> {
  const client = new Client(url, account);
  while (!account.isOver) {
    await pause(PAUSE_MS);
    await client.authenticate(shop);
    const create = {
      json: { url: `${receiver}?other`, events: ["wishlist.shared"] },
      headers: { "idempotency-key": randomUUID() },
      status: 201,
    };
    const made = await client.call("POST", "/v1/webhooks", create);
    const again = await client.call("POST", "/v1/webhooks", create);
    if (made?.["webhookId"] !== again?.["webhookId"]) account.failures.push("an idempotent request made two webhooks");
    if (!made) continue;
    const one = `/v1/webhooks/${String(made["webhookId"])}`;
    await client.call("GET", "/v1/webhooks");
    await client.call("GET", one);
    await client.call("PATCH", one, { json: { enabled: true } });
    await client.call("POST", `${one}/rotate-secret`);
    const tested = await client.call("POST", `${one}/test`, { status: 201 });
    if (tested)
      await client.call("POST", `${one}/deliveries/${String(tested["deliveryId"])}/redeliver`, { status: 201 });
    await client.call("GET", `${one}/deliveries?limit=10`);
    await client.call("DELETE", one);
  }
}

/** Uses the app proxy as a guest who then logs in, round after round. */
export async function useStorefront(url: string, shop: Shop, account: Account, customer: string): Promise<void> {
  const client = new Client(url, account);
  const visit = (asCustomer: boolean) => ({ shop: shop.domain, customer: asCustomer ? customer : undefined });
  const call = (path: string, json: object, asCustomer = false): Promise<Record<string, unknown> | undefined> =>
    client.call("POST", `/proxy/api/${path}?${signedQuery(visit(asCustomer))}`, {
      json,
      headers: { "x-forwarded-host": shop.domain, origin: `https://${shop.domain}`, "x-forwarded-for": "203.0.113.7" },
    });
  for (let n = 0; !account.isOver; n++) {
    await pause(PAUSE_MS);
    const guestId = newGuest();
    const productId = `g${n}`;
    await call("add", { guestId, productId, variantId: "v" });
    await call("list", { guestId });
    await call("page", { guestId });
    await call("saved", { guestId, productIds: [productId] });
    await call("recordCart", { guestId, event_id: randomUUID(), items: [{ product_id: productId, variant_id: "v" }] });
    if (await call("merge", { guestId }, true)) {
      account.stored.add(`${customer} ${productId}`);
      account.events.push(`wishlist.item.added ${customer} ${productId}`);
    }
    await call("list", {}, true);
    await call("shareList", {}, true);
    await call("revokeListShareLink", {}, true);
    if (await call("remove", { productId }, true)) account.stored.delete(`${customer} ${productId}`);
  }
}
