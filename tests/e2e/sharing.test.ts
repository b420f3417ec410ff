import { afterAll, afterEach, beforeAll, beforeEach, expect as expectValue, test } from "vitest";
import { openStore, products, type LiveStore } from "./fixtures/live-store.ts";
import { COLLECTION, expect, heartOf, listed, press, Visitor, WISHLIST } from "./fixtures/visitor.ts";

const saved = products.slice(0, 2);

let store: LiveStore;
let owner: Visitor;
let friend: Visitor;

beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  owner = await Visitor.arrive(store);
  friend = await Visitor.arrive(store);
});
afterEach(async () => {
  await owner.leave();
  await friend.leave();
});

test("a link shows the live list to anybody and says nothing of its owner, until its owner ends it", async () => {
  const customer = store.newCustomer();
  const page = await owner.open(COLLECTION);
  await owner.logIn(page, customer);
  await owner.visit(page, COLLECTION);
  for (const { handle } of saved) await press(heartOf(page, handle));
  await owner.visit(page, WISHLIST);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const field = page.getByRole("textbox", { name: "Share link" });
  await expect(field).toHaveValue(new RegExp(`^${store.url}${WISHLIST}/shared/\\w{22}$`));
  const link = await field.inputValue();

  // Everything that comes to the friend's browser from the store, and everything that it asks for.
  const seen: string[] = [];
  friend.context.on("response", (response) => {
    seen.push(response.url(), JSON.stringify(response.headers()), response.request().postData() ?? "");
  });
  const shared = await friend.open();
  const answer = await shared.goto(link);
  await expect(shared.getByRole("heading", { level: 1 })).toHaveText("A shared wishlist");
  await expect(listed(shared)).toHaveText(saved.map(({ title }) => title).reverse());
  seen.push((await answer?.text()) ?? "", await shared.content());
  const [firstName = "", lastName = ""] = customer.name.split(" ");
  const everything = seen.join("\n");
  expectValue(everything).toContain(saved[0]?.productId);
  for (const secret of [customer.customerId, firstName, lastName, customer.email])
    expectValue(everything).not.toContain(secret);
  await expect(shared.locator("[data-wishlist-remove], [data-wishlist-share]")).toHaveCount(0);

  // It is the list itself, not a copy.
  await press(heartOf(await owner.open(COLLECTION), products[2]?.handle ?? ""));
  await shared.reload();
  await expect(listed(shared)).toHaveCount(3);

  await page.getByRole("button", { name: "Stop sharing" }).click();
  await expect(page.getByText("The link no longer works")).toBeVisible();
  expectValue((await shared.goto(link))?.status()).toBe(410);
  await expect(shared.getByRole("heading", { level: 1 })).toHaveText("This list is no longer shared");
  await expect(listed(shared)).toHaveCount(0);
  friend.forgive(410);
});

test("whoever has a link can save from it for themselves, and changes nothing on it", async () => {
  const page = await owner.open(COLLECTION);
  await owner.logIn(page, store.newCustomer());
  await owner.visit(page, COLLECTION);
  for (const { handle } of saved) await press(heartOf(page, handle));
  await owner.visit(page, WISHLIST);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const field = page.getByRole("textbox", { name: "Share link" });
  await expect(field).not.toHaveValue("");

  const shared = await friend.open(new URL(await field.inputValue()).pathname);
  await shared.getByRole("link", { name: saved[0]?.title ?? "" }).click();
  await press(shared.locator("#MainProduct [data-wishlist-button]"));
  await friend.visit(shared, WISHLIST);
  await expect(listed(shared)).toHaveText([saved[0]?.title ?? ""]);
  await owner.visit(page, WISHLIST);
  await expect(listed(page)).toHaveCount(2);
});
