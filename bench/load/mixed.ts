import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import { z } from "zod";
import { PAGE_LIMIT, proxiedPath, VARIANT_OFFSET, type AppProxy, type Target } from "./workload.ts";

/** A shop under mixed load. */
export interface MixedShop {
  target: Target;
  proxy: AppProxy;
  webhookId: string;
  customers: readonly string[];
}

const FIRST_PRODUCT = 8_000_000_000_000;
const PRODUCTS = 2_000;
/** Items of a merge, the same ones in every turn, so that lists stay as long as they are. */
const MERGED = 20;

const shared = z.object({ data: z.object({ shareToken: z.string() }) });

/** Sends one request and returns the text of the response, which must be 2xx. */
type Send = (
  method: "GET" | "POST" | "DELETE",
  path: string,
  options?: { body?: unknown; anonymous?: boolean },
) => Promise<string>;

type Turn = (send: Send, shop: MixedShop, n: number) => Promise<unknown>;

function customerAt({ customers }: MixedShop, n: number): string {
  return customers[n % customers.length] ?? "";
}

function productAt(n: number): { product_id: string; variant_id: string } {
  const product = FIRST_PRODUCT + (n % PRODUCTS);
  return { product_id: String(product), variant_id: String(product + VARIANT_OFFSET) };
}

const page: Turn = (send, shop, n) => send("GET", `/v1/wishlists/${customerAt(shop, n)}?limit=${PAGE_LIMIT}`);

const addAndRemove: Turn = async (send, shop, n) => {
  const items = `/v1/wishlists/${customerAt(shop, n)}/items`;
  const body = productAt(n);
  await send("POST", items, { body });
  await send("DELETE", `${items}/${body.product_id}`);
};

const mergeItems: Turn = (send, shop, n) => {
  const items = Array.from({ length: MERGED }, (_, index) => {
    const { product_id: productId, variant_id: variantId } = productAt(index);
    return { productId, variantId, addedAt: "2026-01-01T00:00:00.000Z" };
  });
  return send("POST", `/v1/wishlists/${customerAt(shop, n)}/merge`, { body: { items } });
};

const REPORTS = ["overview?days=90", "daily?days=90", "top-products?limit=20", `product/${FIRST_PRODUCT}`];
const report: Turn = (send, _, n) => send("GET", `/v1/analytics/${REPORTS[n % REPORTS.length] ?? ""}`);

const shareAndRead: Turn = async (send, shop, n) => {
  const link = `/v1/wishlists/${customerAt(shop, n)}/share`;
  const { shareToken } = shared.parse(JSON.parse(await send("GET", link))).data;
  await send("GET", `/v1/wishlists/shared/${shareToken}`, { anonymous: true });
  await send("DELETE", link);
};

const adminReads: Turn = async (send, { webhookId }) => {
  await send("GET", "/v1/webhooks");
  await send("GET", `/v1/webhooks/${webhookId}/deliveries`);
};

const proxied: Turn = async (send, shop, n) => {
  const customer = customerAt(shop, n);
  await send("POST", proxiedPath(shop.proxy, customer, "list"), { body: { limit: PAGE_LIMIT }, anonymous: true });
  const productIds = Array.from({ length: 24 }, (_, index) => productAt(n + index).product_id);
  await send("POST", proxiedPath(shop.proxy, customer, "saved"), { body: { productIds }, anonymous: true });
};

const guestLogsIn: Turn = async (send, shop, n) => {
  const guestId = randomBytes(18).toString("base64url");
  const { product_id: productId, variant_id: variantId } = productAt(n);
  const body = { guestId, productId, variantId };
  await send("POST", proxiedPath(shop.proxy, "", "add"), { body, anonymous: true });
  const customer = customerAt(shop, n);
  await send("POST", proxiedPath(shop.proxy, customer, "merge"), { body: { guestId }, anonymous: true });
  await send("POST", proxiedPath(shop.proxy, customer, "remove"), { body: { productId, variantId }, anonymous: true });
};

/** The turns of a round: about 20 reads, 12 changes and a report. */
const ROUND: readonly Turn[] = [
  ...[page, addAndRemove, proxied, page, mergeItems, page, guestLogsIn, page, addAndRemove, proxied],
  ...[page, report, page, shareAndRead, page, adminReads, proxied, page],
];

export interface MixedLoad {
  /** requests that got a 2xx response, and latencies in milliseconds, since the last call */
  take: () => { requests: number; latencies: number[]; failures: string[] };
  stop: () => Promise<void>;
}

/** Turns in progress above which turns are left out, so that a machine that is too slow for the rate gets less load, not a queue. */
const MAX_RUNNING = 24;

/** Sends a mix of all kinds of requests at a bounded rate until it is stopped. */
export function startMixedLoad(url: string, shops: readonly MixedShop[], turnsPerSecond: number): MixedLoad {
  const pool = new Pool(url, { connections: 32, pipelining: 1 });
  let latencies: number[] = [];
  let failures: string[] = [];
  let stopped = false;
  const running = new Set<Promise<void>>();

  const sender =
    ({ target }: MixedShop): Send =>
    async (method, path, { body, anonymous = false } = {}) => {
      const started = performance.now();
      const response = await pool.request({
        method,
        path,
        headers: {
          ...(anonymous ? {} : { authorization: `Bearer ${target.token ?? ""}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.body.text();
      latencies.push(performance.now() - started);
      if (response.statusCode >= 300)
        throw new Error(`${method} ${path.split("?")[0] ?? ""}: ${response.statusCode} ${text.slice(0, 200)}`);
      return text;
    };

  const loop = async (): Promise<void> => {
    const started = performance.now();
    for (let n = 0; !stopped; n++) {
      await pause(Math.max(0, started + (n * 1_000) / turnsPerSecond - performance.now()));
      const turn = ROUND[n % ROUND.length];
      const shop = shops[n % shops.length];
      if (!turn || !shop || running.size >= MAX_RUNNING) continue;
      const done = turn(sender(shop), shop, Math.floor(n / 7)).then(
        () => undefined,
        (error: unknown) => {
          failures.push(error instanceof Error ? error.message : String(error));
        },
      );
      running.add(done);
      void done.finally(() => running.delete(done));
    }
    await Promise.all(running);
  };
  const ended = loop();
  return {
    take() {
      const taken = { requests: latencies.length - failures.length, latencies, failures };
      latencies = [];
      failures = [];
      return taken;
    },
    async stop() {
      stopped = true;
      await ended;
      await pool.close();
    },
  };
}
