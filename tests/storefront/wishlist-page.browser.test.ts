import { expect as expectValue } from "vitest";
import { LANGUAGES } from "../../app/storefront/pages/texts.ts";
import { test } from "../e2e/fixtures/journey.ts";
import { createProduct, isBuyable, productAt, untilProduct } from "../e2e/fixtures/live-store.ts";
import {
  COLLECTION,
  expect,
  expectSaved,
  heartOf,
  listed,
  mainButton,
  press,
  removeButton,
  saveAll,
  share,
  storedRecord,
  undoButton,
  WISHLIST,
} from "../e2e/fixtures/visitor.ts";
import { MATRIX } from "../support/matrix.ts";

const [first, second] = [productAt(0, isBuyable), productAt(1, isBuyable)];

test("the page works with full storage, and the visit remembers the guest", MATRIX, async ({ visitor }) => {
  const page = await visitor.open();
  await saveAll(visitor, page, [first, second]);
  const [, guest] = /"guest":"([\w-]+)"/.exec(await storedRecord(page, 2)) ?? [];
  await visitor.context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await visitor.visit(page, WISHLIST);
  await expect(listed(page)).toHaveText([second.title, first.title]);
  const total = page.locator("[data-wishlist-total]");
  await removeButton(page, first.title).click();
  await expect(total).toHaveText("1 item");
  await removeButton(page, second.title).click();
  await expect(total).toHaveText("0 items");
  await undoButton(page, second.title).click();
  await expect(total).toHaveText("1 item");
  const cookies = await visitor.context.cookies();
  expectValue(cookies.find(({ name }) => name === "wishlist_guest")).toMatchObject({
    value: guest,
    sameSite: "Lax",
    secure: true,
  });
});

test("a removed and restored item has its heart again", async ({ visitor }) => {
  const page = await visitor.open();
  await saveAll(visitor, page, [first]);
  await visitor.visit(page, WISHLIST);
  await removeButton(page, first.title).click();
  await undoButton(page, first.title).click();
  await removeButton(page, first.title).waitFor();
  await visitor.visit(page, COLLECTION);
  await expectSaved(heartOf(page, first.handle));
  // The heart belongs to the item: pressing it removes the item.
  await press(heartOf(page, first.handle));
  await visitor.visit(page, WISHLIST);
  await expect(listed(page)).toHaveCount(0);
});

test(
  "a share link that lost or gained a character leads to a page that says so",
  MATRIX,
  async ({ store, visitor }) => {
    await visitor.startSession(store.newCustomer());
    const page = await visitor.context.newPage();
    await saveAll(visitor, page, [first]);
    await visitor.visit(page, WISHLIST);
    const { pathname } = new URL(await share(page));
    for (const mangled of [pathname.slice(0, -1), `${pathname}.`, `${pathname}%20`, `${pathname}x`]) {
      expectValue((await page.goto(store.url + mangled))?.status()).toBe(200);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("No wishlist found for this link");
      await expect(page.getByRole("link", { name: "Browse products" })).toBeVisible();
    }
  },
);

test("a link is copied without clipboard access, or at least selected", MATRIX, async ({ store, visitor }) => {
  await visitor.startSession(store.newCustomer());
  const page = await visitor.context.newPage();
  await saveAll(visitor, page, [first]);
  await visitor.context.grantPermissions(["clipboard-read"]);
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("closed", "NotAllowedError"));
  });
  await visitor.visit(page, WISHLIST);
  const link = await share(page);
  const status = page.locator("[data-wishlist-status]");
  const copy = page.getByRole("button", { name: "Copy link" });
  await copy.click();
  await expect(status).toHaveText("Link copied");
  expectValue(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);

  await page.evaluate(() => {
    Object.assign(document, { execCommand: () => false });
    getSelection()?.removeAllRanges();
    document.querySelector("[data-wishlist-status]")?.replaceChildren();
  });
  await copy.click();
  await expect(page.getByRole("textbox", { name: "Share link" })).toBeFocused();
  expectValue(await page.evaluate(() => String(getSelection()))).toBe(link);
  await expect(status).toBeEmpty();
});

test("buttons are named with their product, and a message stays while its link has the focus", async ({ visitor }) => {
  const page = await visitor.open();
  await saveAll(visitor, page, [first]);
  await page.clock.install();
  await visitor.visit(page, WISHLIST);
  await page.getByRole("button", { name: `Add to cart – ${first.title}`, exact: true }).click();
  const cart = page.getByRole("status").getByRole("link", { name: "View cart" });
  await cart.focus();
  await page.clock.fastForward(60_000);
  await expect(cart).toBeFocused();
});

test("a product that is no longer sold has no broken picture", async ({ store, visitor }) => {
  const product = await createProduct(store, "Discontinued Stove");
  const page = await visitor.open(`/products/${product.handle}`);
  await press(mainButton(page));
  await store.control("delete-product", { productId: product.productId });
  await untilProduct(store, product.productId, "deleted_at IS NOT NULL");
  await visitor.visit(page, WISHLIST);
  await expect(page.getByText("No longer available")).toBeVisible();
  await page.locator("[data-wishlist-item]").scrollIntoViewIfNeeded();
  await expect(page.locator("[data-wishlist-item] img")).toHaveCount(0);
});

test("a form that is too old leads back to the wishlist", MATRIX, async ({ store, visitor }) => {
  await visitor.startSession(store.newCustomer());
  const page = await visitor.context.newPage();
  await saveAll(visitor, page, [first]);
  await visitor.visit(page, `/de${WISHLIST}`);
  await page.locator("[data-wishlist-remove]").evaluate((form: HTMLFormElement) => {
    form.querySelector("[name=token]")?.setAttribute("value", "old.token");
    form.submit();
  });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(LANGUAGES.de.form_old);
  await page.locator("main").getByRole("link", { name: "Meine Wunschliste" }).click();
  await expect(listed(page)).toHaveText([first.title]);
});
