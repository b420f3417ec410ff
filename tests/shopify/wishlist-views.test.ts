import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Devstore } from "../../packages/devstore/devstore.ts";
import { listViews, viewOf } from "../../app/wishlists/index.server.ts";
import { connectShop, merchant, type ConnectedShop } from "../support/app/merchant.ts";
import type { Service } from "../support/app/service.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";

let connected: Connected;
let shopify: Devstore;
let service: Service;
let shop: ConnectedShop;

beforeAll(async () => {
  connected = await startConnected();
  ({ shopify, service } = connected);
});
afterAll(() => connected.close());

beforeEach(async () => {
  shop = await connectShop(service, shopify);
});

const send = (intent: string, fields: Record<string, string>, of = shop): Promise<string> =>
  merchant(service, of).send("/app/wishlists", { intent, ...fields });

const create = (name: string, query = "kind=named"): Promise<string> => send("create-view", { name, query });

const views = async (of = shop) => (await listViews(of.id)).map(({ name, search }) => [name, search]);

async function idOf(name: string): Promise<string> {
  return (await listViews(shop.id)).find((view) => view.name === name)?.id ?? "";
}

test("staff save, rename, change and delete a view, each with an entry in the staff activity", async () => {
  await create(" Named ", "sort=value&direction=asc&kind=named&nonsense=1");
  expect(await views()).toEqual([["Named", "kind=named&sort=value&direction=asc"]]);
  await send("rename-view", { id: await idOf("Named"), name: "Lists with a name" });
  expect(await views()).toEqual([["Lists with a name", "kind=named&sort=value&direction=asc"]]);
  await send("update-view", { id: await idOf("Lists with a name"), query: "stock=out&sort=stock&direction=desc" });
  expect(await views()).toEqual([["Lists with a name", "stock=out&sort=stock&direction=desc"]]);
  await send("delete-view", { id: await idOf("Lists with a name") });
  expect(await views()).toEqual([]);
  const entries = await service.database.rows(
    "SELECT action, details FROM audit WHERE shop_id = $1 AND area = 'wishlist' ORDER BY id",
    [shop.id],
  );
  expect(entries).toEqual([
    { action: "wishlist.view_created", details: { name: "Named" } },
    { action: "wishlist.view_renamed", details: { from: "Named", to: "Lists with a name" } },
    { action: "wishlist.view_changed", details: { name: "Lists with a name" } },
    { action: "wishlist.view_deleted", details: { name: "Lists with a name" } },
  ]);
});

test.each([
  ["without a name", "  ", "Enter a name."],
  ["with a long name", "n".repeat(41), "Enter at most 40 characters."],
  ["with the name of another", "NAMED", "There is a view named"],
  ["named like the tab of all lists", "all", "There is a view named"],
])("a view %s is refused", async (_, name, message) => {
  await create("Named");
  expect(await create(name)).toContain(message);
  expect(await views()).toHaveLength(1);
});

test("a shop has at most 20 views, also when two are saved at once", async () => {
  for (let count = 0; count < 19; count++) await create(`View ${count}`);
  const outcomes = await Promise.all([create("A"), create("B")]);
  expect(outcomes.filter((text) => text.includes("A shop has at most 20 views."))).toHaveLength(1);
  expect(await views()).toHaveLength(20);
});

test("a view of another shop is neither shown, renamed, changed nor deleted", async () => {
  await create("Named");
  const id = await idOf("Named");
  const other = await connectShop(service, shopify);
  expect(await (await merchant(service, other).page("/app/wishlists")).text()).not.toContain("Named");
  expect(await send("rename-view", { id, name: "Mine" }, other)).toContain("This view was deleted.");
  expect(await send("update-view", { id, query: "owner=guest" }, other)).toContain("This view was deleted.");
  expect(await send("delete-view", { id }, other)).toContain("This view was deleted.");
  expect(await views()).toEqual([["Named", "kind=named"]]);
});

test("the address of a view opens it also with other filters, and one of a deleted view opens none", async () => {
  await create("Named");
  await create("Guests", "owner=guest");
  const shown = async (search: string) => {
    const all = await listViews(shop.id);
    return viewOf(new URLSearchParams(search), all)?.name;
  };
  const id = await idOf("Named");
  expect(await shown(`kind=default&view=${id}`)).toBe("Named");
  expect(await shown(`owner=guest&view=${id}`)).toBe("Named");
  expect(await shown("owner=guest")).toBe("Guests");
  expect(await shown("owner=customer")).toBeUndefined();
  await send("update-view", { id, query: "" });
  expect(await shown("")).toBeUndefined();
  await send("delete-view", { id });
  expect(await shown(`kind=default&view=${id}`)).toBeUndefined();
});
