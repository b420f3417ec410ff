import { afterAll, afterEach, beforeAll, beforeEach, expect as expectValue, test } from "vitest";
import { openStore, productAt, type LiveStore } from "./fixtures/live-store.ts";
import {
  COLLECTION,
  expect,
  expectCount,
  expectSaved,
  heartOf,
  listed,
  press,
  Visitor,
  WISHLIST,
} from "./fixtures/visitor.ts";

const first = productAt(0);

let store: LiveStore;
let visitor: Visitor;

beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  await store.control("reset");
  visitor = await Visitor.arrive(store);
});
afterEach(async () => {
  visitor.forgive(502);
  await visitor.leave();
});

test("a heart shows the press at once, however slow the network is, and settles", async () => {
  const page = await visitor.open(COLLECTION);
  await store.control("faults", { faults: { proxy: "slow", delayMs: 3_000 } });
  const answered = page.waitForResponse(/\/api\/add$/);
  // By the page's own clock, from the press to the next picture that is painted.
  const took = await heartOf(page, first.handle).evaluate(
    (heart) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        new MutationObserver(() => requestAnimationFrame(() => resolve(performance.now() - start))).observe(heart, {
          attributeFilter: ["aria-pressed"],
        });
        heart.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
      }),
  );
  expectValue(took).toBeLessThan(100);
  await expectSaved(heartOf(page, first.handle));
  await expectCount(page, 1);
  expectValue((await answered).status()).toBe(200);
  await expectSaved(heartOf(page, first.handle));
  await expectCount(page, 1);
});

test("what fails is taken back, with a message, and works when it is tried again", async () => {
  const page = await visitor.open(COLLECTION);
  await store.control("faults", { faults: { proxy: "error" } });
  await heartOf(page, first.handle).click();
  await expect(page.getByRole("status").filter({ hasText: "That did not work." })).toBeVisible();
  await expectSaved(heartOf(page, first.handle), false);
  await expectCount(page, 0);

  await store.control("faults", { faults: { proxy: "none" } });
  await press(heartOf(page, first.handle));
  await expectSaved(heartOf(page, first.handle));
  await expectCount(page, 1);

  await visitor.visit(page, WISHLIST);
  await store.control("faults", { faults: { proxy: "error" } });
  await page.getByRole("button", { name: /^Remove/ }).click();
  await expect(page.getByRole("status").filter({ hasText: "That did not work." })).toBeVisible();
  await expect(listed(page)).toHaveText([first.title]);
  await expectCount(page, 1);
});

test("Liquid and HTML in a product's title are text on every page", async () => {
  const title = "{{ shop.name }}{% assign x = 1 %}<script>window.ran = 1</script>\"'";
  await store.control("edit-product", { productId: first.productId, title });
  await store.control("settle");
  await expect
    .poll(() => store.database.rows("SELECT title FROM product WHERE product_id = $1", [first.productId]))
    .toEqual([{ title }]);

  const page = await visitor.open("/");
  await visitor.logIn(page, store.newCustomer());
  const harmless = async (): Promise<void> => {
    expectValue(await page.evaluate(() => "ran" in window)).toBe(false);
  };
  await visitor.visit(page, COLLECTION);
  await expect(heartOf(page, first.handle)).toHaveAccessibleName(`Save ${title} to wishlist`);
  await harmless();
  await visitor.visit(page, `/products/${first.handle}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await press(page.locator("#MainProduct [data-wishlist-button]"));
  await harmless();
  await visitor.visit(page, WISHLIST);
  await expect(listed(page)).toHaveText([title]);
  await harmless();
  await page.getByRole("button", { name: `Remove ${title} from the wishlist` }).click();
  const undo = page.getByRole("button", { name: `Removed from your wishlist: ${title}. Undo` });
  await expect(undo).toBeVisible();
  await undo.click();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const field = page.getByRole("textbox", { name: "Share link" });
  await expect(field).not.toHaveValue("");
  await page.goto(await field.inputValue());
  await expect(listed(page)).toHaveText([title]);
  await harmless();

  // The theme has lost it, and what the app remembers is shown: text as well.
  await store.control("delete-product", { productId: first.productId });
  await store.control("settle");
  await visitor.visit(page, WISHLIST);
  await expect(listed(page)).toHaveText([title]);
  await expect(page.getByRole("button", { name: `Remove ${title} from the wishlist` })).toBeVisible();
  await harmless();
});
