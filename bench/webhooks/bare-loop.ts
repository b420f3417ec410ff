import { createHmac, randomBytes } from "node:crypto";
import { Agent, request } from "undici";
import type { Target } from "../load/workload.ts";

/** Requests to a receiver at a time, as the service sends them. */
const WINDOW = 16;

function eventBody(n: number): string {
  const data = { customerId: "7", productId: String(n), variantId: String(n), listId: "default" };
  const timestamp = new Date().toISOString();
  return JSON.stringify({ event: "wishlist.item.added", timestamp, shop: "bench.myshopify.com", data });
}

/**
 * Sends signed events to each path with the same HTTP client as the service, without a database: what a loop that records nothing reaches.
 * @returns seconds
 */
export async function bareLoop({ url }: Target, paths: readonly string[], events: number): Promise<number> {
  const key = randomBytes(32);
  const started = performance.now();
  await Promise.all(
    paths.map(async (path) => {
      const dispatcher = new Agent({ pipelining: 1 });
      let next = 0;
      const sendNext = async (): Promise<void> => {
        while (next < events) {
          const [id, timestamp, body] = [`msg_${next}`, String(Math.floor(Date.now() / 1_000)), eventBody(next++)];
          const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
          const headers = {
            ...{ "content-type": "application/json", "webhook-id": id, "webhook-timestamp": timestamp },
            "webhook-signature": `v1,${signature}`,
          };
          const response = await request(url + path, { dispatcher, method: "POST", headers, body });
          await response.body.dump();
          if (response.statusCode !== 204) throw new Error(`the receiver responded with ${response.statusCode}`);
        }
      };
      await Promise.all(Array.from({ length: WINDOW }, sendNext));
      await dispatcher.close();
    }),
  );
  return (performance.now() - started) / 1_000;
}
