import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Devstore } from "../../packages/devstore/devstore.ts";
import {
  addItem,
  changeItem,
  createList,
  deleteList,
  moveItems,
  previewRestore,
  readLists,
  updateList,
  viewHistory,
  viewList,
  type ListRef,
} from "../../app/wishlists/index.server.ts";
import { unwrap } from "../support/app/imports.ts";
import { connectShop, merchant, type ConnectedShop } from "../support/app/merchant.ts";
import type { Service } from "../support/app/service.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";

const PRODUCTS = [1, 2, 3].map((id) => ({
  id,
  handle: `lamp-${id}`,
  title: `Lamp ${id}`,
  variants: [{ id: 10 * id }],
}));

let connected: Connected;
let shopify: Devstore;
let service: Service;
let shop: ConnectedShop;
/** the default list and a named list of customer 700 */
let inDefault: ListRef;
let birthday: ListRef;

beforeAll(async () => {
  connected = await startConnected();
  ({ shopify, service } = connected);
  shop = await connectShop(service, shopify, { products: PRODUCTS });
});
afterAll(() => connected.close());

let customers = 700;
beforeEach(async () => {
  inDefault = { shopId: shop.id, kind: "customer", id: String(customers++) };
  const { listId } = unwrap(await createList(inDefault, { name: "Birthday" }, "storefront"));
  birthday = { ...inDefault, listId };
});

/** Saves products, each as a version of the list. */
async function save(list: ListRef, ...products: number[]): Promise<void> {
  for (const id of products) {
    unwrap(await addItem(list, { productId: String(id), variantId: String(10 * id) }, "storefront"));
  }
}

/** Returns the internal number of a list. */
async function numberOf({ kind, id, listId = "default" }: ListRef): Promise<string> {
  const [row] = await service.database.rows<{ id: string }>(
    "SELECT id::text FROM wishlist WHERE shop_id = $1 AND owner_kind = $2 AND owner_id = $3 AND handle = $4",
    [shop.id, kind, id, listId],
  );
  return row?.id ?? "";
}

async function view(list: ListRef, page = 1) {
  const found = await viewList(shop, await numberOf(list), page);
  if (!found) throw new Error("no such list");
  return found;
}

async function history(list: ListRef, before?: number) {
  const found = await viewHistory(shop.id, await numberOf(list), before);
  if (!found) throw new Error("no such list");
  return found;
}

async function preview(list: ListRef, version: number) {
  const found = await previewRestore(shop.id, await numberOf(list), version);
  if (!found) throw new Error("no such list");
  return found;
}

describe("the prices of a list", () => {
  test("are those of now and of the save, and its value is the sum of what the store still has", async () => {
    const price = (product: number, amount: string) =>
      service.database.rows("UPDATE variant SET price = $3 WHERE shop_id = $1 AND product_id = $2", [
        shop.id,
        String(product),
        amount,
      ]);
    for (const product of [1, 2, 3]) await price(product, "100.00");
    await save(birthday, 1, 2, 3);
    unwrap(await changeItem(birthday, { productId: "1", variantId: "10" }, { quantity: 3 }, "storefront"));
    await price(1, "79.90");
    await service.database.rows("UPDATE product SET deleted_at = now() WHERE shop_id = $1 AND product_id = '3'", [
      shop.id,
    ]);
    try {
      const { items, value } = await view(birthday);
      expect(items.map(({ productId, price: now, savedPrice }) => [productId, now, savedPrice])).toEqual([
        ["3", "100.00", "100.00"],
        ["2", "100.00", "100.00"],
        ["1", "79.90", "100.00"],
      ]);
      expect(value).toBe("339.70");
      expect((await view(inDefault)).value).toBe("0.00");
      // What was saved in another currency can't be compared.
      await service.database.rows("UPDATE shop SET currency_changed_at = now() WHERE id = $1", [shop.id]);
      expect((await view(birthday)).items.map(({ savedPrice }) => savedPrice)).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    } finally {
      await service.database.rows("UPDATE product SET deleted_at = NULL WHERE shop_id = $1", [shop.id]);
      await service.database.rows("UPDATE shop SET currency_changed_at = NULL WHERE id = $1", [shop.id]);
    }
  });
});

const productsIn = async (list: ListRef) => (await view(list)).items.map(({ productId }) => productId);

function auditEntries(): Promise<{ action: string; subject: string; details: unknown }[]> {
  return service.database.rows(
    "SELECT action, subject, details FROM audit WHERE shop_id = $1 AND customer_id = $2 ORDER BY id",
    [shop.id, inDefault.id],
  );
}

async function send(list: ListRef, fields: Record<string, string | string[]>, below = "", of = shop, staff?: string) {
  return merchant(service, of, staff).send(`/app/wishlists/${await numberOf(list)}${below}`, fields);
}

/** @param current the version that the page was opened with; the newest one by default */
async function restore(
  list: ListRef,
  version: number,
  { of = shop, staff, current }: { of?: ConnectedShop; staff?: string; current?: number } = {},
): Promise<string> {
  const seen = String(current ?? (await history(list)).current);
  return send(list, { intent: "restore", current: seen }, `/history/${version}`, of, staff);
}

describe("a customer's page", () => {
  test("lists all lists of the customer, the default list first", async () => {
    await save(inDefault, 1);
    await save(birthday, 2, 3);
    const { lists, name, isDefault } = await view(birthday);
    expect({ name, isDefault }).toEqual({ name: "Birthday", isDefault: false });
    expect(lists.map((list) => [list.name, list.isDefault, list.itemCount])).toEqual([
      [undefined, true, 1],
      ["Birthday", false, 2],
    ]);
  });

  test("shows the quantity, note and properties of an item", async () => {
    await save(birthday, 1);
    const details = { quantity: 3, note: "In blue,\nplease", properties: { Engraving: "A. L." } };
    unwrap(await changeItem(birthday, { productId: "1", variantId: "10" }, details, "api"));
    expect((await view(birthday)).items).toMatchObject([{ productId: "1", details }]);
  });

  test("removes items of the list that it shows and of no other", async () => {
    await save(inDefault, 1);
    await save(birthday, 1, 2);
    expect(await send(birthday, { intent: "remove", items: "1 10" })).toContain('"removed",1');
    expect(await productsIn(birthday)).toEqual(["2"]);
    expect(await productsIn(inDefault)).toEqual(["1"]);
  });

  test("creates and revokes the share link of the list that it shows", async () => {
    await save(inDefault, 1);
    await save(birthday, 1);
    await send(birthday, { intent: "share" });
    const shared = async () => (await readLists(inDefault)).lists.map((list) => [list.name, list.shared]);
    expect(await shared()).toEqual([
      [null, false],
      ["Birthday", true],
    ]);
    await send(birthday, { intent: "unshare" });
    expect(await shared()).toEqual([
      [null, false],
      ["Birthday", false],
    ]);
  });

  test("refuses changes of a deleted list with the way out", async () => {
    await save(birthday, 1);
    unwrap(await deleteList(birthday, "storefront"));
    for (const form of [{ intent: "remove", items: "1 10" }, { intent: "share" }, { intent: "unshare" }]) {
      expect(await send(birthday, form)).toContain("This list was deleted. Restore it before you change it.");
    }
  });
});

describe("a deleted list", () => {
  test("is listed for weeks and can be restored with its items from the customer's page", async () => {
    await save(birthday, 1, 2);
    unwrap(await deleteList(birthday, "storefront"));
    const { lists, deletedLists } = await view(inDefault);
    expect(lists.map(({ isDefault }) => isDefault)).toEqual([true]);
    const wishlistId = await numberOf(birthday);
    expect(deletedLists).toMatchObject([{ wishlistId, name: "Birthday", itemCount: 2 }]);
    expect(await send(inDefault, { intent: "restore", wishlistId })).toContain('"changed",2');
    expect(await productsIn(birthday)).toEqual(["2", "1"]);
    expect((await view(inDefault)).deletedLists).toEqual([]);
    expect(await auditEntries()).toEqual([
      { action: "wishlist.list_restored", subject: wishlistId, details: { count: 2 } },
    ]);
  });

  test("is not listed two months after its deletion", async () => {
    unwrap(await deleteList(birthday, "storefront"));
    await service.database.rows(
      "UPDATE wishlist SET deleted_at = now() - interval '61 days' WHERE shop_id = $1 AND id = $2",
      [shop.id, await numberOf(birthday)],
    );
    expect((await view(inDefault)).deletedLists).toEqual([]);
  });

  test("whose name another list has now is not restored, and the message says why", async () => {
    unwrap(await deleteList(birthday, "storefront"));
    unwrap(await createList(inDefault, { name: "BIRTHDAY" }, "storefront"));
    const wishlistId = await numberOf(birthday);
    expect(await send(inDefault, { intent: "restore", wishlistId })).toContain("Another list of this customer");
    expect(await auditEntries()).toEqual([]);
  });
});

describe("the history of a list", () => {
  test("has each version once with its origin and effects, newest first", async () => {
    await save(birthday, 1);
    unwrap(await changeItem(birthday, { productId: "1", variantId: "10" }, { quantity: 2 }, "api"));
    unwrap(await updateList(birthday, { name: "Party" }, "storefront"));
    unwrap(await moveItems(birthday, { items: [{ productId: "1" }], to: "default", copy: false }, "storefront"));
    const { versions, current, name } = await history(birthday);
    expect([name, current]).toEqual(["Party", 5]);
    expect(
      versions.map(({ version, source, listEvent, added, removed, updated }) =>
        [version, source, listEvent, added, removed, updated].join(" "),
      ),
    ).toEqual([
      "5 move  0 1 0",
      "4 storefront renamed 0 0 0",
      "3 api  0 0 1",
      "2 storefront  1 0 0",
      "1 storefront created 0 0 0",
    ]);
    expect(versions[0]?.titles).toEqual(["Lamp 1"]);
  });

  test("begins anew for an invalid cursor", async () => {
    for (const before of ["x", "-1", "1.5", "9".repeat(30), "%00"]) {
      const page = await merchant(service, shop).page(
        `/app/wishlists/${await numberOf(birthday)}/history?before=${before}`,
      );
      expect(page.status, before).toBe(200);
      expect(await page.text(), before).toContain('"created"');
    }
  });

  test("is paged in both directions without gaps", async () => {
    for (let n = 0; n < 30; n++) {
      unwrap(await updateList(birthday, { name: `Name ${n}` }, "storefront"));
    }
    const first = await history(birthday);
    const second = await history(birthday, Number(first.older));
    const all = [...first.versions, ...second.versions].map(({ version }) => version);
    expect(all).toEqual(Array.from({ length: 31 }, (_, n) => 31 - n));
    expect([first.newer, second.newer, second.older]).toEqual([undefined, "", undefined]);
  });
});

describe("restoring a version", () => {
  test("is previewed with the items that come back, go and change", async () => {
    await save(birthday, 1, 2);
    const { current } = await history(birthday);
    await send(birthday, { intent: "remove", items: "1 10" });
    unwrap(await changeItem(birthday, { productId: "2", variantId: "20" }, { quantity: 5 }, "storefront"));
    await save(birthday, 3);
    const { added, removed, updated, refused } = await preview(birthday, current);
    expect(refused).toBeUndefined();
    expect(added).toMatchObject({ count: 1, items: [{ item: { productId: "1", title: "Lamp 1" } }] });
    expect(removed).toMatchObject({ count: 1, items: [{ item: { productId: "3" } }] });
    expect(updated).toMatchObject({ count: 1, items: [{ item: { productId: "2" }, now: { quantity: 5 } }] });
    expect(updated.items[0]?.item.details.quantity).toBeUndefined();
  });

  test("brings back the items, writes an audit entry, and can be undone in the same way", async () => {
    await save(birthday, 1, 2);
    await send(birthday, { intent: "remove", items: ["1 10", "2 20"] });
    await save(birthday, 3);
    expect(await restore(birthday, 3)).toContain('"changed",3');
    expect(await productsIn(birthday)).toEqual(["2", "1"]);
    const { versions } = await history(birthday);
    expect(versions[0]).toMatchObject({ source: "staff", added: 2, removed: 1 });
    await restore(birthday, (versions[0]?.version ?? 0) - 1);
    expect(await productsIn(birthday)).toEqual(["3"]);
    const wishlist = await numberOf(birthday);
    expect((await auditEntries()).slice(-2)).toEqual([
      { action: "wishlist.restored", subject: wishlist, details: { count: 3 } },
      { action: "wishlist.restored", subject: wishlist, details: { count: 3 } },
    ]);
  });

  test("is undone when the audit entry fails", async () => {
    await save(birthday, 1);
    await send(birthday, { intent: "remove", items: "1 10" });
    const { rows } = service.database;
    await rows("ALTER TABLE audit ADD CONSTRAINT refused CHECK (staff_id <> '13') NOT VALID");
    try {
      await restore(birthday, 2, { staff: "13" });
    } finally {
      await rows("ALTER TABLE audit DROP CONSTRAINT refused");
    }
    expect(await productsIn(birthday)).toEqual([]);
  });

  test("that changes nothing writes no audit entry and says so", async () => {
    await save(birthday, 1);
    expect((await preview(birthday, 2)).refused).toContain("nothing to restore");
    await restore(birthday, 2);
    expect(await auditEntries()).toEqual([]);
  });

  test("says why when later changes are no longer kept or the version never was", async () => {
    await save(birthday, 1, 2, 3);
    await service.database.rows("DELETE FROM activity WHERE shop_id = $1 AND wishlist_id = $2 AND version <= 3", [
      shop.id,
      await numberOf(birthday),
    ]);
    const { versions } = await history(birthday);
    expect(versions.map(({ version, restorable }) => [version, restorable])).toEqual([[4, true]]);
    expect((await preview(birthday, 2)).refused).toContain("no longer kept");
    expect((await preview(birthday, 99)).refused).toContain("never had this version");
    expect(await restore(birthday, 99)).toContain("never had this version");
    expect(await restore(birthday, 2)).toContain("no longer kept");
  });

  test("is refused when the list has changed since the preview, and nothing is lost", async () => {
    await save(birthday, 1, 2);
    const { current } = await preview(birthday, 2);
    await save(birthday, 3);
    expect(await restore(birthday, 2, { current })).toContain("The list has changed since you opened this page.");
    expect(await productsIn(birthday)).toEqual(["3", "2", "1"]);
    expect(await auditEntries()).toEqual([]);
  });

  test("happens once when two staff members restore the same preview at once", async () => {
    await save(birthday, 1, 2);
    const { current } = await preview(birthday, 2);
    const results = await Promise.all([1, 2].map(() => restore(birthday, 2, { current })));
    expect(results.filter((result) => result.includes('"changed",1'))).toHaveLength(1);
    expect(results.filter((result) => result.includes("The list has changed"))).toHaveLength(1);
    expect(await productsIn(birthday)).toEqual(["1"]);
    expect(await auditEntries()).toHaveLength(1);
  });

  test("of another shop's list is neither shown nor done", async () => {
    await save(birthday, 1);
    const other = await connectShop(service, shopify);
    const number = await numberOf(birthday);
    for (const path of [`/history`, `/history/1`]) {
      expect((await merchant(service, other).page(`/app/wishlists/${number}${path}`)).status).toBe(404);
    }
    expect(await restore(birthday, 1, { of: other })).toContain("no longer exists");
    expect(await send(birthday, { intent: "restore", wishlistId: number }, "", other)).toContain("is not deleted");
    expect(await productsIn(birthday)).toEqual(["1"]);
  });

  test("is not reached by an invalid version", async () => {
    for (const version of ["-1", "x", "1.5", "9".repeat(16)]) {
      const path = `/app/wishlists/${await numberOf(birthday)}/history/${version}`;
      expect((await merchant(service, shop).page(path)).status, version).toBe(404);
    }
  });
});
