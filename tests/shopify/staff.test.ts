import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { guestOwner } from "../../app/wishlists/index.server.ts";
import { disagreements } from "../support/app/audit.ts";
import { client, type Call } from "../support/app/client.ts";
import type { Devstore } from "../../packages/devstore/devstore.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { connectShop, merchant, type ConnectedShop } from "../support/app/merchant.ts";
import { startReceiver, type Receiver } from "../support/webhooks/receiver.ts";
import type { Service } from "../support/app/service.ts";
import { issueToken } from "../support/app/shop.ts";
import { newGuest } from "../support/app/storefront.ts";

type Shop = ConnectedShop & { token: string };

let connected: Connected;
let shopify: Devstore;
let service: Service;
let receiver: Receiver;
let call: Call;
let shop: Shop;

const EVENTS = ["wishlist.item.added", "wishlist.item.removed", "wishlist.shared"];
const PRODUCTS = [1, 2, 3].map((id) => ({
  id,
  handle: `lamp-${id}`,
  title: `Lamp ${id}`,
  variants: [{ id: 10 * id }],
}));
const SCOPES = ["read_wishlists", "write_wishlists", "read_analytics", "write_webhooks"] as const;

beforeAll(async () => {
  connected = await startConnected({ WEBHOOKS_ALLOW_LOOPBACK: "1" });
  ({ shopify, service } = connected);
  receiver = await startReceiver();
  call = client(service.url);
});
afterAll(async () => {
  await receiver.close();
  await connected.close();
});

async function makeShop(plan?: string): Promise<Shop> {
  const connected = await connectShop(service, shopify, { plan, products: PRODUCTS });
  return { ...connected, token: await issueToken(call, connected.id, SCOPES) };
}

beforeEach(async () => {
  shop = await makeShop();
});

function send(path: string, fields: Record<string, string | string[]>, of = shop, staff?: string): Promise<string> {
  return merchant(service, of, staff).send(path, fields);
}

function page(path: string, of = shop): Promise<Response> {
  return merchant(service, of).page(path);
}

async function save(customer: string, ...products: number[]): Promise<void> {
  for (const id of products) {
    const json = { product_id: String(id) };
    (await call("POST", `/v1/wishlists/${customer}/items`, { token: shop.token, json })).data();
  }
}

async function listOf(kind: "customer" | "guest", owner: string, of = shop): Promise<string> {
  const [row] = await service.database.rows<{ id: string }>(
    "SELECT id::text FROM wishlist WHERE shop_id = $1 AND owner_kind = $2 AND owner_id = $3",
    [of.id, kind, owner],
  );
  return row?.id ?? "";
}

interface AuditEntry {
  action: string;
  staff_id: string | null;
  subject: string | null;
  customer_id: string | null;
  details: unknown;
}

function auditEntries(of = shop): Promise<AuditEntry[]> {
  return service.database.rows<AuditEntry>(
    "SELECT action, staff_id, subject, customer_id, details FROM audit WHERE shop_id = $1 AND area <> 'plan' ORDER BY id",
    [of.id],
  );
}

const path = (wishlist: string): string => `/app/wishlists/${wishlist}`;

async function items(customer: string): Promise<string[]> {
  const response = await call("GET", `/v1/wishlists/${customer}`, { token: shop.token });
  return response.data<{ items: { productId: string }[] }>().items.map(({ productId }) => productId);
}

async function reports(): Promise<unknown[]> {
  const ask = async (what: string) => (await call("GET", `/v1/analytics/${what}`, { token: shop.token })).data();
  return [await ask("overview"), await ask("daily")];
}

describe("a removal by staff", () => {
  /** Removes two of the three items of customer 701. @returns the wishlist's id */
  async function removeTwo(): Promise<string> {
    const wishlist = await listOf("customer", "701");
    expect(await send(path(wishlist), { intent: "remove", items: ["1 10", "2 20"] })).toContain('"removed",2');
    expect(await items("701")).toEqual(["3"]);
    return wishlist;
  }

  test("sends a webhook for each item", async () => {
    const webhook = { url: receiver.url, events: EVENTS };
    await save("701", 1, 2, 3);
    (await call("POST", "/v1/webhooks", { token: shop.token, json: webhook })).data();
    await removeTwo();
    const received = await receiver.until((all) => all.filter(({ body }) => body.shop === shop.domain).length === 2);
    const ours = received.filter(({ body }) => body.shop === shop.domain).map(({ body }) => body);
    expect(ours.map(({ event }) => event)).toEqual(["wishlist.item.removed", "wishlist.item.removed"]);
    expect(ours.map(({ data }) => data["productId"])).toEqual(["1", "2"]);
  });

  test("does not count as shoppers' activity in the reports", async () => {
    await save("701", 1, 2, 3);
    const before = await reports();
    await removeTwo();
    expect(await reports()).toEqual(before);
  });

  test("lowers the product's count", async () => {
    await save("701", 1, 2, 3);
    await removeTwo();
    const counted = (await call("GET", "/v1/analytics/product/1", { token: shop.token })).data();
    expect(counted).toEqual({ wishlistCount: 0 });
    expect(await disagreements(service.database)).toEqual([]);
  });

  test("is recorded in the staff activity with its items", async () => {
    await save("701", 1, 2, 3);
    const wishlist = await removeTwo();
    const removed = [
      { productId: "1", variantId: "10" },
      { productId: "2", variantId: "20" },
    ];
    expect(await auditEntries()).toEqual([
      {
        action: "wishlist.items_removed",
        staff_id: "4711",
        subject: wishlist,
        customer_id: "701",
        details: { items: removed },
      },
    ]);
  });

  test("changes nothing when the form is repeated or names unsaved items", async () => {
    await save("702", 1, 2);
    const wishlist = await listOf("customer", "702");
    const form = { intent: "remove", items: "1 10" };
    const responses = await Promise.all([send(path(wishlist), form), send(path(wishlist), form)]);
    expect(responses.filter((response) => response.includes('"removed",1'))).toHaveLength(1);
    expect(await send(path(wishlist), { intent: "remove", items: ["9 90", "1 10"] })).toContain('"removed",0');
    expect(await items("702")).toEqual(["2"]);
    expect(await auditEntries()).toHaveLength(1);
  });

  test.each([
    ["nothing", []],
    ["no item", "lamp"],
    ["a script", "<script>alert(1)</script>"],
    ["too many", Array.from({ length: 51 }, (_, n) => `${n} ${n}`)],
    ["an overlong id", `${"9".repeat(256)} 1`],
  ])("with %s in the form shows an error at the field and changes nothing", async (_, given) => {
    await save("703", 1);
    const wishlist = await listOf("customer", "703");
    expect(await send(path(wishlist), { intent: "remove", items: given })).toMatch(/Choose (at|from)/);
    expect(await items("703")).toEqual(["1"]);
    expect(await auditEntries()).toEqual([]);
  });

  test("is undone when the audit entry fails", async () => {
    await save("704", 1);
    const wishlist = await listOf("customer", "704");
    const { rows } = service.database;
    await rows("ALTER TABLE audit ADD CONSTRAINT refused CHECK (staff_id <> '13') NOT VALID");
    try {
      await send(path(wishlist), { intent: "remove", items: "1 10" }, shop, "13");
    } finally {
      await rows("ALTER TABLE audit DROP CONSTRAINT refused");
    }
    expect(await items("704")).toEqual(["1"]);
  });

  test("from a guest's list records the list's number and not the guest's id", async () => {
    const guest = newGuest();
    const { id } = guestOwner(shop.id, guest);
    await service.database.rows("SELECT wishlist_add($1, 'guest', $2, '1', '10', 'storefront', now())", [shop.id, id]);
    const wishlist = await listOf("guest", id);
    const found = await send("/app/wishlists", { intent: "find", query: guest });
    expect(found).toContain(`"${wishlist}"`);
    const shown = await (await page(path(wishlist))).text();
    expect(shown).not.toContain(id);
    expect(shown).not.toContain(guest);
    await send(path(wishlist), { intent: "remove", items: "1 10" });
    const [row] = await service.database.rows<{ row: string }>(
      "SELECT a::text AS row FROM audit a WHERE shop_id = $1",
      [shop.id],
    );
    expect(row?.row).toContain(wishlist);
    expect(row?.row).not.toContain(id);
  });
});

describe("another shop's list", () => {
  test("is neither found nor shown nor changed by any form", async () => {
    await save("705", 1);
    const wishlist = await listOf("customer", "705");
    const otherShop = await makeShop();
    expect((await page(path(wishlist), otherShop)).status).toBe(404);
    expect(await send("/app/wishlists", { intent: "find", query: "705" }, otherShop)).toContain("No wishlist is saved");
    for (const form of [{ intent: "remove", items: "1 10" }, { intent: "share" }, { intent: "unshare" }]) {
      expect(await send(path(wishlist), form, otherShop)).toContain("no longer exists");
    }
    expect(await items("705")).toEqual(["1"]);
    expect(await auditEntries()).toEqual([]);
    expect(await auditEntries(otherShop)).toEqual([]);
  });

  test("is not reached by an invalid number", async () => {
    for (const number of ["0", "-1", "1.5", "1e3", "999999999999999", "9".repeat(30), "%00", "audit2"]) {
      expect((await page(path(number))).status, number).toBe(404);
    }
  });
});

describe("share links", () => {
  const share = (wishlist: string, of = shop) => send(path(wishlist), { intent: "share" }, of);

  test("are created and revoked by staff once, with an audit entry each", async () => {
    await save("706", 1);
    const wishlist = await listOf("customer", "706");
    await Promise.all([share(wishlist), share(wishlist)]);
    const link = (await call("GET", "/v1/wishlists/706/share", { token: shop.token })).data<{ shareToken: string }>();
    expect(await (await page(path(wishlist))).text()).toContain(link.shareToken);
    const read = () => call("GET", `/v1/wishlists/shared/${link.shareToken}`);
    expect((await read()).status).toBe(200);
    await send(path(wishlist), { intent: "unshare" });
    await send(path(wishlist), { intent: "unshare" });
    expect((await read()).status).toBe(410);
    expect((await auditEntries()).map(({ action }) => action)).toEqual([
      "wishlist.share_created",
      "wishlist.share_revoked",
    ]);
    expect(JSON.stringify(await auditEntries())).not.toContain(link.shareToken);
  });

  test("show the sharer's name, which a link made by staff does not take over", async () => {
    await save("708", 1);
    const wishlist = await listOf("customer", "708");
    const json = { shared_by: "Ana of the lamps" };
    (await call("PATCH", "/v1/wishlists/708/share", { token: shop.token, json })).data();
    expect(await (await page(path(wishlist))).text()).toContain("Ana of the lamps");
    await send(path(wishlist), { intent: "unshare" });
    await share(wishlist);
    const made = await call("GET", "/v1/wishlists/708/share", { token: shop.token });
    expect(made.data()).toMatchObject({ sharedBy: null });
  });

  test("are not created on the free plan, even by a forged form", async () => {
    shop = await makeShop("Free");
    await save("707", 1);
    const wishlist = await listOf("customer", "707");
    expect(await share(wishlist)).toContain("Share links need the Starter plan");
    const api = await call("GET", "/v1/wishlists/707/share", { token: shop.token });
    expect(api.body).toMatchObject({ error: { code: "plan_required", details: { requiredPlan: "starter" } } });
    expect(await auditEntries()).toEqual([]);
  });
});

describe("the search", () => {
  test("finds a customer by an id, a GID and the address of the customer's page", async () => {
    await save("708", 1);
    const page = "https://admin.shopify.com/store/larkfell/customers/708?foo=1";
    for (const query of ["708", "  708 ", "gid://shopify/Customer/708", page]) {
      const found = await send("/app/wishlists", { intent: "find", query });
      expect(found, query).toContain(`"${await listOf("customer", "708")}"`);
    }
  });

  test("finds a merged guest's items in the customer's account", async () => {
    await save("709", 1);
    const guest = newGuest();
    const { id } = guestOwner(shop.id, guest);
    await service.database.rows("SELECT wishlist_merge_guest($1, $2, '709', now())", [shop.id, id]);
    const found = await send("/app/wishlists", { intent: "find", query: guest });
    expect(found).toContain(`"${await listOf("customer", "709")}"`);
  });

  test("shows an error at the field for what it cannot find", async () => {
    const queries = [
      ["", "Enter a customer or guest."],
      ["gid://shopify/Product/708", "This isn't a customer ID."],
      ["x".repeat(256), "Enter at most 255 characters."],
      ["<script>alert(1)</script>", "No wishlist is saved for this ID."],
      ["99999", '"No wishlist is saved for this ID."'],
    ] as const;
    for (const [query, says] of queries) {
      expect(await send("/app/wishlists", { intent: "find", query }), query).toContain(says);
    }
  });
});

describe("the search by name without the permission to read customers", () => {
  test("explains how to find a name and an address", async () => {
    const says = "To search by name or email, select Allow access to customers.";
    for (const query of ["Maren Lark", "maren@example.com", "Maren"]) {
      expect(await send("/app/wishlists", { intent: "find", query }), query).toContain(says);
    }
  });
});
