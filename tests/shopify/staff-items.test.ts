import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { randomBase62 } from "../../app/platform/ids.server.ts";
import type { Devstore } from "../../packages/devstore/devstore.ts";
import { client, type Call } from "../support/app/client.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { connectShop, merchant, type ConnectedShop } from "../support/app/merchant.ts";
import { startReceiver, type Receiver } from "../support/webhooks/receiver.ts";
import type { Service } from "../support/app/service.ts";
import { issueToken } from "../support/app/shop.ts";
import { textOfEveryTable } from "../support/app/stored-rows.ts";
import { newGuest } from "../support/app/storefront.ts";

let connected: Connected;
let shopify: Devstore;
let service: Service;
let receiver: Receiver;
let call: Call;
let shop: ConnectedShop & { token: string };

const PRODUCTS = [1, 2, 3].map((id) => ({
  id,
  handle: `lamp-${id}`,
  title: `Lamp ${id}`,
  variants: [{ id: 10 * id, available: id !== 2 }],
}));

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

beforeEach(async () => {
  const made = await connectShop(service, shopify, { products: PRODUCTS });
  made.store.customers.add({ id: "701", firstName: "Anna", lastName: "Berg", email: "anna.berg@example.com" });
  shop = { ...made, token: await issueToken(call, made.id, ["read_wishlists", "write_wishlists", "write_webhooks"]) };
});

const send = (list: string, fields: Record<string, string | string[]>): Promise<string> =>
  merchant(service, shop).send(`/app/wishlists/${list}`, fields);

async function save(customer: string, json: Record<string, unknown>, lists = ""): Promise<void> {
  (await call("POST", `/v1/wishlists/${customer}${lists}/items`, { token: shop.token, json })).data();
}

/** Creates a named list of customer 701. @returns its id in `/v1` */
async function createList(name: string): Promise<string> {
  const created = await call("POST", "/v1/wishlists/701/lists", { token: shop.token, json: { name } });
  return created.data<{ listId: string }>().listId;
}

/** Returns the internal number of a list. */
async function numberOf(owner: string, handle = "default"): Promise<string> {
  const [row] = await service.database.rows<{ id: string }>(
    "SELECT id::text FROM wishlist WHERE shop_id = $1 AND owner_id = $2 AND handle = $3",
    [shop.id, owner, handle],
  );
  return row?.id ?? "";
}

async function items(customer = "701", lists = ""): Promise<unknown[]> {
  const response = await call("GET", `/v1/wishlists/${customer}${lists === "" ? "" : `${lists}/items`}`, {
    token: shop.token,
  });
  return response
    .data<{ items: Record<string, unknown>[] }>()
    .items.map(({ productId, variantId, quantity, note }) => ({ productId, variantId, quantity, note }));
}

function audited(): Promise<{ action: string; staff_id: string; customer_id: string; details: unknown }[]> {
  return service.database.rows(
    "SELECT action, staff_id, customer_id, details FROM audit WHERE shop_id = $1 AND area = 'wishlist' ORDER BY id",
    [shop.id],
  );
}

const ADD = { intent: "add", quantity: "", note: "" };

describe("an item that staff add", () => {
  test("is in the chosen list with quantity and note, and is recorded as the staff member's", async () => {
    await save("701", { product_id: "1" });
    const party = await createList("Party");
    const [page, list] = [await numberOf("701"), await numberOf("701", party)];
    const added = await send(page, { ...ADD, list, item: "3 30", quantity: "4", note: " In blue " });
    expect(added).toContain('"added"');
    expect(await items("701", `/lists/${party}`)).toEqual([
      { productId: "3", variantId: "30", quantity: 4, note: "In blue" },
    ]);
    expect(await items()).toHaveLength(1);
    expect(await audited()).toEqual([
      {
        action: "wishlist.item_added",
        staff_id: "4711",
        customer_id: "701",
        details: { items: [{ productId: "3", variantId: "30" }] },
      },
    ]);
    const [change] = await service.database.rows(
      "SELECT kind, source FROM activity WHERE shop_id = $1 AND product_id = '3'",
      [shop.id],
    );
    expect(change).toEqual({ kind: "added", source: "staff" });
  });

  test("sends a webhook", async () => {
    const webhook = { url: receiver.url, events: ["wishlist.item.added"] };
    (await call("POST", "/v1/webhooks", { token: shop.token, json: webhook })).data();
    await save("701", { product_id: "1" });
    const list = await numberOf("701");
    await send(list, { ...ADD, list, item: "3 30" });
    const received = await receiver.until((all) => all.filter(({ body }) => body.shop === shop.domain).length === 2);
    const ours = received.filter(({ body }) => body.shop === shop.domain).map(({ body }) => body.data["productId"]);
    expect(ours).toEqual(["1", "3"]);
  });

  test("is taken out again with Undo", async () => {
    await save("701", { product_id: "1" });
    const list = await numberOf("701");
    await send(list, { ...ADD, list, item: "3 30" });
    expect(await send(list, { intent: "undo-add", list, item: "3 30" })).toContain('"removed",1');
    expect(await items()).toEqual([{ productId: "1", variantId: "10" }]);
    expect((await audited()).map(({ action }) => action)).toEqual(["wishlist.item_added", "wishlist.items_removed"]);
  });

  test("that the list has already keeps its details, and nothing is recorded", async () => {
    await save("701", { product_id: "1", quantity: 2 });
    const list = await numberOf("701");
    expect(await send(list, { ...ADD, list, item: "1 10", quantity: "9" })).toContain('"added",false');
    expect(await items()).toEqual([{ productId: "1", variantId: "10", quantity: 2 }]);
    expect(await audited()).toEqual([]);
  });

  test("is refused by a full list, in words for staff", async () => {
    await service.database.rows("UPDATE shop SET item_cap = 1 WHERE id = $1", [shop.id]);
    await save("701", { product_id: "1" });
    const list = await numberOf("701");
    expect(await send(list, { ...ADD, list, item: "3 30" })).toContain("more items than your settings allow");
    expect(await items()).toHaveLength(1);
    expect(await audited()).toEqual([]);
  });

  test("is refused in a deleted list, in a guest's and in another shop's", async () => {
    await save("701", { product_id: "1" });
    const page = await numberOf("701");
    const party = await createList("Party");
    const deleted = await numberOf("701", party);
    (await call("DELETE", `/v1/wishlists/701/lists/${party}`, { token: shop.token })).data();
    expect(await send(page, { ...ADD, list: deleted, item: "3 30" })).toContain("This list was deleted");
    const guest = newGuest();
    await service.database.rows(
      "INSERT INTO wishlist (shop_id, owner_kind, owner_id, created_at, updated_at) VALUES ($1, 'guest', $2, now(), now())",
      [shop.id, guest],
    );
    const ofGuest = await numberOf(guest);
    expect(await send(page, { ...ADD, list: ofGuest, item: "3 30" })).toContain("this is a guest's");
    const other = await connectShop(service, shopify, { products: PRODUCTS });
    const elsewhere = await merchant(service, other).send(`/app/wishlists/${page}`, {
      ...ADD,
      list: page,
      item: "3 30",
    });
    expect(elsewhere).toContain("no longer exists");
    expect(await items()).toHaveLength(1);
  });

  test("with a wrong quantity or a long note is refused at the field", async () => {
    await save("701", { product_id: "1" });
    const list = await numberOf("701");
    const refused = await send(list, { ...ADD, list, item: "3 30", quantity: "0", note: "x".repeat(501) });
    expect(refused).toContain("Enter a number from 1 to 999.");
    expect(refused).toContain("Enter at most 500 characters.");
    expect(await items()).toHaveLength(1);
  });
});

const SCOPE = "write_draft_orders";

/** Grants the scope, and lets the app have it. */
async function grant(list: string): Promise<void> {
  shop.store.installation.scopes.push(SCOPE);
  await send(list, { intent: "permission" });
  await merchant(service, shop).page(`/app/wishlists/${list}`);
}

/** Creates a draft order of items, each as "list product variant". */
function draft(list: string, keys: string[], idempotencyKey = randomBase62(22)): Promise<string> {
  return send(list, { intent: "draft-order", items: keys, idempotencyKey });
}

describe("a draft order", () => {
  test("has the selected items of several lists with quantities and properties", async () => {
    await save("701", { product_id: "1", quantity: 2, properties: { Engraving: "A. L." } });
    const party = await createList("Party");
    await save("701", { product_id: "3" }, `/lists/${party}`);
    const [list, other] = [await numberOf("701"), await numberOf("701", party)];
    await grant(list);
    const created = await draft(list, [`${list} 1 10`, `${other} 3 30`]);
    expect(created).toContain('"created"');
    expect(shop.store.draftOrders.all()).toMatchObject([
      {
        name: "#D1",
        customerId: "701",
        lines: [
          { variantId: "10", quantity: 2, customAttributes: [{ key: "Engraving", value: "A. L." }] },
          { variantId: "30", quantity: 1, customAttributes: [] },
        ],
      },
    ]);
    expect(created).toContain(shop.store.draftOrders.all()[0]?.id);
    expect(await audited()).toMatchObject([
      {
        action: "wishlist.draft_order_created",
        staff_id: "4711",
        customer_id: "701",
        details: { name: "#D1", items: [{ productId: "1" }, { productId: "3" }] },
      },
    ]);
  });

  test("is created once when the form is sent twice", async () => {
    await save("701", { product_id: "1" });
    const list = await numberOf("701");
    await grant(list);
    const key = randomBase62(22);
    const [first, second] = [await draft(list, [`${list} 1 10`], key), await draft(list, [`${list} 1 10`], key)];
    expect(second).toBe(first);
    expect(shop.store.draftOrders.all()).toHaveLength(1);
    expect(await audited()).toHaveLength(1);
  });

  test("with a sold-out variant is created, and says so", async () => {
    await save("701", { product_id: "2" });
    const list = await numberOf("701");
    await grant(list);
    expect(await draft(list, [`${list} 2 20`])).toContain('"soldOut",1');
  });

  test("with an item that is gone names it, and nothing is created", async () => {
    await save("701", { product_id: "1" });
    await save("701", { product_id: "own-product", variant_id: "own-variant" });
    const list = await numberOf("701");
    await grant(list);
    const keys = [`${list} 1 10`, `${list} own-product own-variant`];
    const refused = await draft(list, keys);
    expect(refused).toContain("Some items are no longer sold in your store.");
    expect(refused).toContain(`${list} own-product own-variant`);
    await service.database.rows("UPDATE variant SET deleted_at = now() WHERE shop_id = $1 AND variant_id = '10'", [
      shop.id,
    ]);
    expect(await draft(list, [`${list} 1 10`])).toContain("Some items are no longer sold in your store.");
    expect(shop.store.adminApiRequests.map(({ operation }) => operation)).not.toContain("DraftOrderCreate");
    expect(await audited()).toEqual([]);
  });

  test("of an item that the customer has removed is refused", async () => {
    await save("701", { product_id: "1" });
    const list = await numberOf("701");
    await grant(list);
    (await call("DELETE", "/v1/wishlists/701/items/1", { token: shop.token })).data();
    expect(await draft(list, [`${list} 1 10`])).toContain("Some items are no longer in the customer's lists.");
    expect(shop.store.draftOrders.all()).toEqual([]);
  });

  test("never has an item of another customer's list", async () => {
    await save("701", { product_id: "1" });
    await save("702", { product_id: "3" });
    const [list, other] = [await numberOf("701"), await numberOf("702")];
    await grant(list);
    expect(await draft(list, [`${other} 3 30`])).toContain('"refused"');
    expect(shop.store.draftOrders.all()).toEqual([]);
  });

  test("shows what Shopify refuses: a variant that the store has deleted, a customer who is gone", async () => {
    await save("701", { product_id: "1" });
    await save("999", { product_id: "1" });
    const [list, unknown] = [await numberOf("701"), await numberOf("999")];
    await grant(list);
    expect(await draft(unknown, [`${unknown} 1 10`])).toContain("Customer does not exist");
    // The webhook of the deletion is lost.
    await save("701", { product_id: "1", variant_id: "77" });
    expect(await draft(list, [`${list} 1 77`])).toContain("Product with ID 77 is no longer available.");
    expect(await audited()).toEqual([]);
  });

  test("of a customer who was erased is refused", async () => {
    await save("701", { product_id: "1" });
    const list = await numberOf("701");
    await grant(list);
    await service.database.rows("DELETE FROM wishlist WHERE shop_id = $1 AND owner_id = '701'", [shop.id]);
    expect(await draft(list, [`${list} 1 10`])).toContain("no longer exists");
    expect(shop.store.draftOrders.all()).toEqual([]);
  });

  test("needs the permission, also when it is withdrawn after the page was opened", async () => {
    await save("701", { product_id: "1" });
    const list = await numberOf("701");
    expect(await draft(list, [`${list} 1 10`])).toContain('"not_permitted"');
    await grant(list);
    shop.store.installation.scopes = shop.store.installation.scopes.filter((scope) => scope !== SCOPE);
    const remove = shop.store.faults.inject({
      on: "graphql",
      operation: "DraftOrderCreate",
      behaviour: "access denied",
    });
    expect(await draft(list, [`${list} 1 10`])).toContain('"not_permitted"');
    remove();
    expect(shop.store.draftOrders.all()).toEqual([]);
    expect(await audited()).toEqual([]);
  });

  test("can be sent again with the same key while Shopify throttles", async () => {
    await save("701", { product_id: "1" });
    const list = await numberOf("701");
    await grant(list);
    const key = randomBase62(22);
    shop.store.faults.inject({ on: "graphql", operation: "DraftOrderCreate", behaviour: "throttled", times: 1 });
    expect(await draft(list, [`${list} 1 10`], key)).toContain("Try again in a moment.");
    expect(await draft(list, [`${list} 1 10`], key)).toContain('"created"');
    expect(shop.store.draftOrders.all()).toHaveLength(1);
  });

  test("may have been created when Shopify does not respond, and is not created again with the same key", async () => {
    await save("701", { product_id: "1" });
    const list = await numberOf("701");
    await grant(list);
    const key = randomBase62(22);
    shop.store.faults.inject({ on: "graphql", operation: "DraftOrderCreate", behaviour: { status: 502 }, times: 1 });
    expect(await draft(list, [`${list} 1 10`], key)).toContain('"unknown"');
    expect(await draft(list, [`${list} 1 10`], key)).toContain('"unknown"');
    expect(shop.store.draftOrders.all()).toEqual([]);
  });

  test("is Shopify's data: its id is in no table, but in the sealed response to the form", async () => {
    await save("701", { product_id: "1" });
    const list = await numberOf("701");
    await grant(list);
    await draft(list, [`${list} 1 10`]);
    const [{ id } = { id: "" }] = shop.store.draftOrders.all();
    expect(id).not.toBe("");
    expect((await textOfEveryTable(service.database)).join("\n")).not.toContain(id);
  });
});
