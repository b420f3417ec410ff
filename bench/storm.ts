// Clients of one shop that send requests without a pause. With CALLS=mixed thirty: ten read reports, ten merge and ten add to the same wishlist. With
// CALLS=changes sixty, which read the same page of changes. Runs until SIGTERM and then prints the number of responses by status.
import { Pool } from "undici";
import { z } from "zod";
import { VARIANT_OFFSET } from "./load/workload.ts";

const EACH = 10;
const READERS = 60;
const MERGED = 20;
const FIRST_PRODUCT = 8_600_000_000_000;

const {
  URL: url,
  TOKEN: token,
  CUSTOMER: customer,
  CALLS: calls,
} = z
  .object({ URL: z.url(), TOKEN: z.string(), CUSTOMER: z.string(), CALLS: z.enum(["mixed", "changes"]) })
  .parse(process.env);

const pool = new Pool(url, { connections: calls === "mixed" ? 3 * EACH : READERS, pipelining: 1 });
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
const statuses: Record<number, number> = {};
let stopped = false;
let product = FIRST_PRODUCT;

function ids(): { productId: string; variantId: string } {
  product++;
  return { productId: String(product), variantId: String(product + VARIANT_OFFSET) };
}

const wishlist = `/v1/wishlists/${customer}`;
const MIXED = [
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

async function client(call: () => Parameters<typeof pool.request>[0]): Promise<void> {
  while (!stopped) {
    const response = await pool.request({ ...call(), headers });
    await response.body.dump();
    statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
  }
}

process.once("SIGTERM", () => {
  stopped = true;
});
const readChanges = () => ({ method: "GET" as const, path: "/v1/changes?limit=1000" });
const clients =
  calls === "mixed"
    ? MIXED.flatMap((call) => Array.from({ length: EACH }, () => client(call)))
    : Array.from({ length: READERS }, () => client(readChanges));
process.stdout.write("started\n");
await Promise.all(clients);
process.stdout.write(`${JSON.stringify(statuses)}\n`);
