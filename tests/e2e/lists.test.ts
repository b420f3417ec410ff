import { expect as expectValue } from "vitest";
import { test } from "./fixtures/journey.ts";
import { productAt } from "./fixtures/live-store.ts";
import {
  COLLECTION,
  expect,
  expectCount,
  expectSaved,
  heartOf,
  listed,
  press,
  share,
  WISHLIST,
} from "./fixtures/visitor.ts";

const first = productAt(0);

test("a guest puts a product into a new list, which the login keeps and a friend sees", async ({
  store,
  visitor,
  arrive,
}) => {
  const page = await visitor.open(COLLECTION);
  await press(heartOf(page, first.handle));
  await page.getByRole("button", { name: "Change list" }).click();
  const dialog = page.getByRole("dialog", { name: "Choose lists" });
  await dialog.getByLabel("New list").fill("Birthday");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("checkbox", { name: "Birthday" })).toBeChecked();
  await dialog.getByRole("checkbox", { name: "My wishlist" }).uncheck();
  await visitor.quiet(page);
  await page.keyboard.press("Escape");
  await expectSaved(heartOf(page, first.handle));
  await expectCount(page, 1);

  const customer = store.newCustomer();
  await visitor.logIn(page, customer);
  await expectCount(page, 1);
  await visitor.visit(page, WISHLIST);
  await page.getByText("Your lists").click();
  await page.getByRole("link", { name: "Birthday" }).click();
  await expect(listed(page)).toHaveText([first.title]);
  const link = await share(page);

  const friend = await (await arrive()).open();
  await friend.goto(link);
  await expect(friend.getByRole("heading", { level: 1 })).toHaveText("Birthday");
  await expect(listed(friend)).toHaveText([first.title]);
  expectValue(
    await store.database.rows(
      "SELECT owner_kind, handle = 'default' AS is_default, item_count FROM wishlist ORDER BY 2",
    ),
  ).toEqual([
    { owner_kind: "customer", is_default: false, item_count: 1 },
    { owner_kind: "customer", is_default: true, item_count: 0 },
  ]);
});
