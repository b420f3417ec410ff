import { test } from "../e2e/fixtures/journey.ts";
import { productAt } from "../e2e/fixtures/live-store.ts";
import { expect } from "../e2e/fixtures/visitor.ts";
import { clickTwice, enter, expectAccessible, expectAccessibleOnAllSizes } from "./fixtures.ts";

test("staff tag the customers of selected wishlists once they allow it", async ({ arrive, store }) => {
  const token = await store.token();
  for (const { customerId } of [store.newCustomer(), store.newCustomer()]) {
    const json = { product_id: productAt(0).productId };
    (await store.call("POST", `/v1/wishlists/${customerId}/items`, { token, json })).data();
  }
  const admin = await enter(await arrive(), "/app/wishlists");
  const { app, page } = admin;
  const [first, second] = [app.getByRole("checkbox").nth(1), app.getByRole("checkbox").nth(2)];
  await first.check();
  await second.check();
  await app.getByRole("button", { name: "Tag customers" }).click();
  await expect(app.getByRole("group", { name: "Tag customers" })).toBeFocused();
  await expectAccessibleOnAllSizes(admin);
  await app.getByRole("button", { name: "Allow tags" }).click();
  const dialog = page.getByRole("dialog", { name: "Update permissions" });
  await expect(dialog.getByText("write customers")).toBeVisible();
  await dialog.getByRole("button", { name: "Update permissions" }).click();
  const field = app.getByLabel("Tag", { exact: true });
  await expect(field).toBeFocused();
  await field.fill("vip, b2b");
  await field.press("Enter");
  await expect(app.getByText("Enter one tag, without a comma.")).toBeVisible();
  await field.fill("saved-a-lamp");
  const add = app.getByRole("button", { name: "Add tag" });
  await expect(add).toBeEnabled();
  await clickTwice(add);
  await expect(app.getByText("The tag “saved-a-lamp” was added to 2 customers")).toBeVisible();
  await expectAccessible(admin);
  await app.getByRole("button", { name: "Dismiss notification" }).click();
  await expect(app.getByText("The tag “saved-a-lamp” was added")).toHaveCount(0);
});
