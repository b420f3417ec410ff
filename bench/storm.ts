// Thirty clients of one shop that send requests without a pause: ten read reports, ten merge and ten add to the same wishlist. Runs until
// SIGTERM and then prints the number of responses by status.
import { Pool } from "undici";
import { z } from "zod";
import { VARIANT_OFFSET } from "./load/workload.ts";

const EACH = 10;
const MERGED = 20;
const FIRST_PRODUCT = 8_600_000_000_000;

const {
  URL: url,
  TOKEN: token,
  CUSTOMER: customer,
} = z.object({ URL: z.url(), TOKEN: z.string(), CUSTOMER: z.string() }).parse(process.env);

const pool = new Pool(url, { connections: 3 * EACH, pipelining: 1 });
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
const statuses: Record<number, number> = {};
let stopped = false;
let product = FIRST_PRODUCT;

function ids(): { productId: string; variantId: string } {
  product++;
  return { productId: String(product), variantId: String(product + VARIANT_OFFSET) };
}

const wishlist = `/v1/wishlists/${customer}`;
const CALLS = [
  () => ({ method: "GET" as const, path: "/v1/analytics/overview" }),
  () => {
    const items = Array.from({ length: MERGED }, () => ({ ...ids(), addedAt: "2026-01-01T00:00:00.000Z" }));
    return { method: "POST" as const, path: `${wishlist}/merge`, body: JSON.stringify({ items }) };
  },
  () => {
    const { productId, variantId } = ids();
    return {
      method: "POST" as const,
      path: `${wishlist}/items`,
      body: JSON.stringify({ product_id: productId, variant_id: variantId }),
    };
  },
];

async function client(call: (typeof CALLS)[number]): Promise<void> {
  while (!stopped) {
    const response = await pool.request({ ...call(), headers });
    await response.body.dump();
    statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
  }
}

process.once("SIGTERM", () => {
  stopped = true;
});
const clients = CALLS.flatMap((call) => Array.from({ length: EACH }, () => client(call)));
process.stdout.write("started\n");
await Promise.all(clients);
process.stdout.write(`${JSON.stringify(statuses)}\n`);
