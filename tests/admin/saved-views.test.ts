import { test } from "../e2e/fixtures/journey.ts";
import { expect } from "../e2e/fixtures/visitor.ts";
import { productAt, type LiveStore } from "../e2e/fixtures/live-store.ts";
import { enter, expectAccessible, expectAccessibleOnAllSizes, pathOf, type Admin } from "./fixtures.ts";
import { MATRIX } from "../support/matrix.ts";

const QUERY = "owner=customer&sort=value&direction=desc";

async function saveProducts(store: LiveStore, count: number): Promise<void> {
  const { customerId } = store.newCustomer();
  const token = await store.token();
  for (let index = 0; index < count; index++) {
    const json = { product_id: productAt(index).productId };
    (await store.call("POST", `/v1/wishlists/${customerId}/items`, { token, json })).data();
  }
}

/** Holds the forms that the page sends. @returns what sends them on and waits for the page */
async function holdForms({ page, quiet }: Admin): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<undefined>();
  await page.route(/\/app\/wishlists\.data/, async (route) => {
    if (route.request().method() === "POST") await held.promise;
    await route.fallback();
  });
  return async () => {
    const stored = page.waitForResponse((response) => response.request().method() === "POST");
    held.resolve(undefined);
    await stored;
    await quiet();
  };
}

/** Saves the filters and the order of the page as a view. */
async function saveAs({ app }: Admin, name: string): Promise<void> {
  await app.getByRole("button", { name: "Save as" }).click();
  await app.getByRole("dialog").getByRole("textbox").fill(name);
  await app.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(app.getByRole("tab", { name, exact: true })).toHaveAttribute("aria-selected", "true");
}

test("staff change the filters of a saved view in place", MATRIX, async ({ arrive, store }) => {
  await saveProducts(store, 1);
  const admin = await enter(await arrive(), `/app/wishlists?${QUERY}`);
  const { app } = admin;
  await saveAs(admin, "Changed in place");
  const tab = app.getByRole("tab", { name: "Changed in place" });
  await expect.poll(() => pathOf(admin)).toMatch(/\?owner=customer&sort=value&direction=desc&view=\d+$/);
  await tab.click();
  await app.getByRole("menuitem", { name: "Edit view" }).click();
  const save = app.getByRole("button", { name: "Save", exact: true });
  await expect(save).toBeDisabled();
  await app.getByRole("button", { name: "Stock", exact: true }).click();
  await app.getByText("Has items out of stock", { exact: true }).click();
  await expect(save).toBeEnabled();
  await admin.page.keyboard.press("Escape");
  await expectAccessibleOnAllSizes(admin);
  const release = await holdForms(admin);
  await save.click();
  await expect(tab).toHaveAttribute("aria-selected", "true");
  const changed = /\?owner=customer&stock=out&sort=value&direction=desc&view=\d+$/;
  await app.getByRole("tab", { name: "All" }).click();
  await expect.poll(() => pathOf(admin)).toBe("/app/wishlists");
  await tab.click();
  // The tab opens what was saved, even before it is stored.
  await expect.poll(() => pathOf(admin)).toMatch(changed);
  await release();
  await admin.go("/app/wishlists");
  await tab.click();
  await expect.poll(() => pathOf(admin)).toMatch(changed);
  await expectAccessible(admin);
});

test("a new view does not replace a tab that is chosen while the view is stored", MATRIX, async ({ arrive, store }) => {
  await saveProducts(store, 1);
  const admin = await enter(await arrive(), `/app/wishlists?${QUERY}`);
  const { app } = admin;
  await saveAs(admin, "Original");
  await expect.poll(() => pathOf(admin)).toMatch(/&view=\d+$/);
  const release = await holdForms(admin);
  await app.getByRole("tab", { name: "Original" }).click();
  await app.getByRole("menuitem", { name: "Duplicate view" }).click();
  await app.getByRole("dialog").getByRole("textbox").fill("The copy");
  await app.getByRole("dialog").getByRole("button", { name: "Create view" }).click();
  await app.getByRole("tab", { name: "All" }).click();
  await expect.poll(() => pathOf(admin)).toBe("/app/wishlists");
  await release();
  await expect(app.getByRole("tab", { name: "The copy" })).toHaveAttribute("aria-selected", "false");
  await expect(app.getByRole("tab", { name: "All" })).toHaveAttribute("aria-selected", "true");
});

test("Cancel returns to the view as it was saved", MATRIX, async ({ arrive, store }) => {
  await saveProducts(store, 1);
  const admin = await enter(await arrive(), `/app/wishlists?${QUERY}`);
  const { app } = admin;
  await saveAs(admin, "Not changed");
  await expect.poll(() => pathOf(admin)).toMatch(/&view=\d+$/);
  const saved = pathOf(admin);
  await app.getByRole("button", { name: /^Sort/ }).click();
  await app.getByText("Items out of stock", { exact: true }).click();
  await expect.poll(() => pathOf(admin)).toContain("sort=stock&direction=desc&view=");
  await app.getByRole("button", { name: "Save", exact: true }).waitFor();
  await app.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.poll(() => pathOf(admin)).toBe(saved);
  await expect(app.getByRole("tab", { name: "Not changed" })).toHaveAttribute("aria-selected", "true");
});

test("staff copy a view and rename the copy", MATRIX, async ({ arrive, store }) => {
  await saveProducts(store, 1);
  const admin = await enter(await arrive(), `/app/wishlists?${QUERY}`);
  const { app } = admin;
  await saveAs(admin, "Original");
  const original = pathOf(admin);
  await app.getByRole("tab", { name: "Original" }).click();
  await app.getByRole("menuitem", { name: "Duplicate view" }).click();
  await app.getByRole("dialog").getByRole("textbox").fill("The copy");
  await app.getByRole("dialog").getByRole("button", { name: "Create view" }).click();
  const copy = app.getByRole("tab", { name: "The copy" });
  await expect(copy).toHaveAttribute("aria-selected", "true");
  await expect.poll(() => pathOf(admin)).not.toBe(original);
  await copy.click();
  await app.getByRole("menuitem", { name: "Rename view" }).click();
  await app.getByRole("dialog").getByRole("textbox").fill("Renamed copy");
  await app.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(app.getByRole("tab", { name: "Renamed copy" })).toHaveAttribute("aria-selected", "true");
  await expect(app.getByRole("tab", { name: "Original" })).toBeVisible();
});
