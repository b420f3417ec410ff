import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";
import { expect } from "vitest";
import { test } from "../support/app/fixtures.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import type { Call } from "../support/app/client.ts";
import { exchange, makeShop, publishKey } from "../support/app/shop.ts";
import { customerSessionToken } from "../support/app/session-token.ts";
import { newGuest, SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";
import { cases, operations, type Case, type World } from "./both-paths-corpus.ts";

// Without a worker, whose timing would differ between the shops.
test.override("appOptions", { env: { ...SHOPIFY_ENV, WISHLIST_ROLE: "web" } });

async function makeWorld(app: InProcessApp, call: Call): Promise<World> {
  const shop = await makeShop(app, call, { products: { "84001": "44001", "84002": "44002" }, plan: "growth" });
  const { token } = shop;
  const add = { token, json: { product_id: "84001", variant_id: "44001" } };
  for (const customer of ["7001", "7002"]) await call("POST", `/v1/wishlists/${customer}/items`, add);
  const shared = await call("GET", "/v1/wishlists/7002/share", { token });
  const named = await call("POST", "/v1/wishlists/7001/lists", { token, json: { name: "Named" } });
  const { listId } = named.data<{ listId: string }>();
  // The items of the documented examples, and one whose product is in the catalog.
  const operations = [
    { op: "add", productId: "8401930311165", variantId: "44003118551387" },
    { op: "add", productId: "84001", variantId: "44001" },
    { op: "update", productId: "84001", position: 1 },
  ];
  for (const operation of operations)
    await call("POST", `/v1/wishlists/7001/lists/${listId}/items/batch`, { token, json: { operations: [operation] } });
  const hook = { url: "https://hooks.example.com/", events: ["wishlist.shared"] };
  const created = await call("POST", "/v1/webhooks", { token, json: hook });
  const { webhookId } = created.data<{ webhookId: string }>();
  await call("POST", `/v1/webhooks/${webhookId}/test`, { token });
  const found = await call("GET", `/v1/webhooks/${webhookId}/deliveries`, { token });
  const shopper = visitor(app, { shop: shop.domain, customer: "7001" });
  const page = await shopper("GET", "");
  return {
    domain: shop.domain,
    tokens: {
      all: token,
      reading: await exchange(call, shop, { scope: "read_wishlists" }),
      writing: await exchange(call, shop, { scope: "write_webhooks" }),
      customer: await exchange(call, shop, { scope: "read_wishlists", customer_id: "7001" }),
    },
    credentials: {
      api_key: shop.keyId,
      api_secret: shop.secret,
      publishable_key: await publishKey(shop, ["https://theme.example"]),
      session_token: customerSessionToken(shop.domain),
    },
    values: {
      customerId: "7001",
      productId: "84001",
      listId,
      webhookId,
      deliveryId: found.data<{ deliveries: { deliveryId: string }[] }>().deliveries[0]?.deliveryId,
      shareToken: shared.data<{ shareToken: string }>().shareToken,
      // fields of the storefront's bodies
      eventId: "cart-1",
      guestId: newGuest(),
      productIds: ["84001"],
      items: [{ productId: "84001", variantId: "44001" }],
      token: /wl_token = "([^"]+)"/.exec(page.text)?.[1],
      product: "84001",
      variant: "44001",
      variantId: "44001",
      list: listId,
      name: "Camping",
      locale: "en",
      note: "For the trip",
      quantity: 2,
      to: "default",
      version: 2,
    },
  };
}

const DECODERS: Record<string, (body: Buffer) => Promise<Buffer>> = {
  br: promisify(brotliDecompress),
  gzip: promisify(gunzip),
};

/** Replaces ids, secrets and times, which differ between equal shops, in a text. */
function maskText(text: string): string {
  return text
    .replaceAll(/shop-[0-9a-f]{10}/g, "(shop)")
    .replaceAll(/"sequence":"?\d+/g, '"sequence":(number)')
    .replaceAll(/\breq_\w{22}\b/g, "(request)")
    .replaceAll(/\blst_\w{22}\b/g, "(list)")
    .replaceAll(/\bwhsec_[\w+/=]+/g, "(secret)")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "(time)")
    .replaceAll(/(?<![\w-])(?=[\w-]*\d)[\w-]{16,}/g, "(id)")
    .replaceAll(/(wl_(?:owner|token) = )"[^"]*"/g, '$1"(masked)"');
}

/** Replaces them in JSON or text. Random values without a digit are recognized by their mixed case. */
function mask(body: string): unknown {
  try {
    return JSON.parse(body, (name, value: unknown) => {
      if (name === "sequence") return "(number)";
      return typeof value === "string"
        ? maskText(value).replaceAll(/(?<![\w-])(?=[\w-]*[a-z][A-Z])[\w-]{16,}/g, "(id)")
        : value;
    });
  } catch {
    return maskText(body);
  }
}

interface Seen {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

const CHANGING = new Set(["x-request-id", "date", "content-length"]);

function isStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** Returns what a stream sends at once, and closes it: it would go on. */
async function beginningOf({ body }: Response): Promise<Buffer> {
  if (!body) return Buffer.alloc(0);
  const reader = body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return Buffer.from(value ?? []);
}

async function send(app: InProcessApp, { path, init, target }: Case, fastPath: boolean): Promise<Seen> {
  const response = await app.fetch(path, init, { fastPath, target });
  const bytes = isStream(response) ? await beginningOf(response) : Buffer.from(await response.arrayBuffer());
  const coding = response.headers.get("content-encoding") ?? "";
  const decode = DECODERS[coding];
  const headers = [...response.headers]
    .filter(([name]) => !CHANGING.has(name))
    .map(([name, value]) => [
      name,
      name === "etag"
        ? value.replace(/"[^"]*"/, '"…"')
        : /^(?:ratelimit|retry-after)$/.test(name)
          ? value.replaceAll(/\d+/g, "n")
          : maskText(value),
    ]);
  const body = decode && bytes.length > 0 ? await decode(bytes) : bytes;
  return {
    status: response.status,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: mask(body.toString()),
  };
}

test.for(operations().map((operation) => [operation.name, operation] as const))(
  "fast path and Remix path respond alike to every request to %s",
  async ([, operation], { app, call }) => {
    // Two shops with the same data: one is called through the fast path, the other through Remix's request handler.
    const [ours, theirs] = [await makeWorld(app, call), await makeWorld(app, call)];
    const other = cases(operation, theirs);
    const statuses = new Set<number>();
    for (const [n, one] of cases(operation, ours).entries()) {
      const twin = other[n];
      if (!twin) throw new Error("the shops' requests differ");
      const fast = await send(app, one, true);
      expect({ [one.title]: fast }).toEqual({ [one.title]: await send(app, twin, false) });
      statuses.add(fast.status);
    }
    expect([...statuses].some((status) => status < 400 && status !== 204)).toBe(true);
  },
);
