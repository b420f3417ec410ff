import { once } from "node:events";
import { IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openStore, type LiveStore } from "./fixtures/live-store.ts";
import { WISHLIST } from "./fixtures/visitor.ts";
import { MATRIX } from "../support/matrix.ts";

const QUOTA = 4;

const responseSchema = z.object({ error: z.object({ status: z.int(), retryAfter: z.int() }).optional() });

let store: LiveStore;
/** each test uses different loopback addresses of this machine */
let network = 0;

for (const hops of [1, 2]) {
  describe(`behind ${hops} proxies of Shopify`, hops === 2 ? {} : MATRIX, () => {
    beforeAll(async () => {
      store = await openStore({
        env: { RATE_LIMIT_STOREFRONT_ADDRESS_PER_MINUTE: String(QUOTA), APP_PROXY_EXTRA_HOPS: String(hops) },
        devstore: { proxyHops: hops },
      });
    });
    afterAll(() => store.close());

    /**
     * Sends a storefront request from an address.
     * @returns the remaining quota, or the status of a refusal
     */
    async function ask(from: string, headers: Record<string, string> = {}): Promise<number | string> {
      const { hostname, port } = new URL(store.devstoreUrl);
      const sent = request({
        hostname,
        port,
        localAddress: from,
        path: `${WISHLIST}/api/list`,
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
      });
      sent.end("{}");
      const [response]: unknown[] = await once(sent, "response");
      if (!(response instanceof IncomingMessage)) throw new Error("no response");
      const { error } = responseSchema.parse(await json(response));
      if (error) return `${error.status}, ${error.retryAfter}`;
      return Number(/r=(\d+)/.exec(String(response.headers["ratelimit"]))?.[1]);
    }

    test("each address has its own rate limit", async () => {
      const [one, other] = [`127.9.${++network}.1`, `127.9.${network}.2`];
      for (let left = QUOTA - 1; left >= 0; left--) expect(await ask(one)).toBe(left);
      expect(await ask(one)).toMatch(/^429, \d+$/);
      expect(await ask(other)).toBe(QUOTA - 1);
    });

    test("a forged address neither avoids the limit nor uses up that of another address", async () => {
      const [one, other] = [`127.9.${++network}.1`, `127.9.${network}.2`];
      for (let left = QUOTA - 1; left >= 0; left--) {
        expect(await ask(one, { "x-forwarded-for": `${other}, 192.0.2.${left}` })).toBe(left);
      }
      expect(await ask(one, { "x-forwarded-for": other })).toMatch(/^429, \d+$/);
      expect(await ask(other)).toBe(QUOTA - 1);
    });
  });
}
