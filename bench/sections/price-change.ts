import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { createDevstore, type Devstore } from "../../packages/devstore/devstore.ts";
import { copyOf, withClient, DOMAIN, type Dataset } from "../data/dataset.ts";
import { onEnd, say } from "../lifetime.ts";
import type { Target } from "../load/workload.ts";
import { percentile, spreadOf } from "../measure/spread.ts";
import type { Bench } from "./bench.ts";
import { startService, startWorker, stopServers } from "../servers.ts";
import { milliseconds, type Row } from "../table.ts";
import { subscribe } from "../webhooks/subscriptions.ts";

const MAX_MEDIAN_MS = 2_000;
/** Customers who have saved each product. */
const OWNERS = 5;
/** The longest interval of a poll on the way: changes come at any moment of it. */
const POLL_MS = 2_000;
const TIMEOUT_MS = 30_000;
/** Measures the time from Shopify's webhook about a lower price to the arrival of the first alert at the merchant's webhook, in a small shop. */
export async function priceChange(bench: Bench): Promise<Row[]> {
  return [
    await measure(bench, { processes: "one process", separate: false }),
    // The web process works on nothing, and the worker receives nothing.
    await measure(bench, { processes: "a web process and a worker", separate: true }),
  ];
}

async function measure(
  { options, serverUrl, small }: Bench,
  { processes, separate }: { processes: string; separate: boolean },
): Promise<Row> {
  const dataset = await copyOf(serverUrl, await small(), "price_change");
  provideSettings({ DATABASE_URL: dataset.url, NODE_ENV: "test" });
  const devstore = await createDevstore({ developmentStore: false, restoreRate: 1_000_000, plan: "Growth" });
  onEnd(() => devstore.close());
  const count = options.quick ? 4 : 30;
  const store = devstore.store(DOMAIN);
  const put = (id: number, priceCents: number): void =>
    store.catalog.put({ id, handle: `product-${id}`, title: `Product ${id}`, variants: [{ id: id * 10, priceCents }] });
  for (let id = 1; id <= count; id++) put(id, 10_000);

  const settings = { ...devstore.env, WEBHOOKS_ALLOW_LOOPBACK: "1" };
  const role = separate ? { WISHLIST_ROLE: "web" } : {};
  const service = await startService(dataset, { ...options, settings: { ...settings, ...role } });
  if (separate) await startWorker(dataset, { ...options, settings });
  await connectStore(devstore, service, dataset);
  for (let id = 1; id <= count; id++) {
    for (let owner = 1; owner <= OWNERS; owner++) await save(service, String(owner), String(id));
  }
  const receiver = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      arrived?.(performance.now());
      response.writeHead(204).end();
    });
  });
  let arrived: ((at: number) => void) | undefined;
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = receiver.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await subscribe(service, `http://127.0.0.1:${port}/`, ["wishlist.alert.price_dropped"]);

  const times: number[] = [];
  for (let id = 1; id <= count; id++) {
    await pause(POLL_MS * (1 + ((id * 0.618) % 1)));
    const arrival = new Promise<number>((resolve, reject) => {
      arrived = resolve;
      setTimeout(() => {
        reject(new Error("no alert arrived within 30 s"));
      }, TIMEOUT_MS).unref();
    });
    put(id, 8_000);
    const sent = performance.now();
    const response = await devstore.deliverWebhook(service.url, "/webhooks/products/update", {
      topic: "products/update",
      shop: DOMAIN,
      payload: { id, updated_at: new Date().toISOString() },
    });
    if (response.status !== 200) throw new Error(`the products/update webhook got the response ${response.status}`);
    times.push((await arrival) - sent);
  }
  receiver.close();
  await stopServers();
  await devstore.close();
  const { median } = spreadOf(times);
  const figure = `median ${milliseconds(median)}, p95 ${milliseconds(percentile(times, 0.95))}`;
  say(`price change to alert, ${processes}: ${figure}`);
  return {
    work: `From a price change's webhook to the alert's, ${processes}`,
    figure,
    against: "",
    ratio: "",
    required: `≤ ${MAX_MEDIAN_MS / 1_000} s`,
    passed: median <= MAX_MEDIAN_MS,
  };
}

/** Connects the store, waits for its product sync, and turns alerts on. */
export async function connectStore(devstore: Devstore, service: Target, { url, shopId }: Dataset): Promise<void> {
  const { status } = await devstore.openApp({ app: service.url, shop: DOMAIN });
  if (status !== 200) throw new Error(`the app's page got the response ${status}`);
  await withClient(url, async (client) => {
    for (const deadline = performance.now() + TIMEOUT_MS; ;) {
      const { rows } = await client.query(
        "SELECT 1 FROM shop WHERE id = $1 AND catalog = 'ready' AND currency IS NOT NULL",
        [shopId],
      );
      if (rows.length > 0) break;
      if (performance.now() > deadline) throw new Error("the product sync did not end within 30 s");
      await pause(100);
    }
    await client.query(
      "INSERT INTO alert_settings (shop_id, kinds, mode) VALUES ($1, '{price_dropped}', 'merchant_managed')",
      [shopId],
    );
    await client.query("UPDATE shop SET plan = 'growth' WHERE id = $1", [shopId]);
  });
}

async function save({ url, token }: Target, customer: string, productId: string): Promise<void> {
  const response = await fetch(`${url}/v1/wishlists/${customer}/items`, {
    method: "POST",
    headers: { authorization: `Bearer ${token ?? ""}`, "content-type": "application/json" },
    body: JSON.stringify({ product_id: productId }),
  });
  if (!response.ok) throw new Error(`saving a product responded with ${response.status}: ${await response.text()}`);
}
