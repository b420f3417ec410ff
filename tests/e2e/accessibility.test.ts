import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect as expectValue, test } from "vitest";
import { DESKTOP, PHONE } from "../devstore/fixtures/browser.ts";
import { openStore, productAt, type LiveStore, type Login } from "./fixtures/live-store.ts";
import { COLLECTION, expect, expectSaved, heartOf, listed, press, Visitor, WISHLIST } from "./fixtures/visitor.ts";

const [first, second] = [productAt(0), productAt(1)];

let store: LiveStore;
let visitor: Visitor;
let page: Page;
let customer: Login;

beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  await store.control("reset");
  visitor = await Visitor.arrive(store);
  page = await visitor.context.newPage();
  customer = store.newCustomer();
});
afterEach(async () => {
  visitor.forgive(404, 410, 502);
  await visitor.leave();
});

/** The whole page: theme, blocks and what the app rendered into it. */
async function expectNoViolations(): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expectValue(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
  expectValue(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

async function save(): Promise<void> {
  await visitor.visit(page, COLLECTION);
  for (const { handle } of [first, second]) await press(heartOf(page, handle));
}

describe.each([
  ["a phone", PHONE],
  ["a desktop", DESKTOP],
])("on %s axe finds nothing, and nothing sticks out,", (_, viewport) => {
  beforeEach(() => page.setViewportSize(viewport));

  test("for a guest: home, hearts, product, wishlist empty and filled, messages", async () => {
    await visitor.visit(page, "/");
    await expectNoViolations();
    await visitor.visit(page, WISHLIST);
    await expect(page.getByText("Nothing saved yet")).toBeVisible();
    await expectNoViolations();
    await save();
    await expectSaved(heartOf(page, second.handle));
    await expectNoViolations();
    await visitor.visit(page, `/products/${first.handle}`);
    await expectSaved(page.locator("#MainProduct [data-wishlist-button]"));
    await expectNoViolations();
    await visitor.visit(page, WISHLIST);
    await expect(listed(page)).toHaveCount(2);
    await expectNoViolations();
    await page.getByRole("button", { name: `Remove ${first.title} from the wishlist` }).click();
    await expect(page.getByRole("button", { name: /Undo/ })).toBeFocused();
    await expectNoViolations();

    await visitor.visit(page, COLLECTION);
    await store.control("faults", { faults: { proxy: "error" } });
    await heartOf(page, first.handle).click();
    await expect(page.getByRole("status").filter({ hasText: "That did not work." })).toBeVisible();
    await expectNoViolations();
  });

  test("for a customer and whoever gets the link: wishlist, message, shared list, its end, a link that never was", async () => {
    await visitor.visit(page, "/");
    await visitor.logIn(page, customer);
    await save();
    await visitor.visit(page, WISHLIST);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const field = page.getByRole("textbox", { name: "Share link" });
    await expect(field).not.toHaveValue("");
    await page
      .locator("[data-wishlist-item]")
      .filter({ has: page.getByRole("button", { name: "Add to cart" }) })
      .first()
      .getByRole("button", { name: "Add to cart" })
      .click();
    await expect(page.getByRole("link", { name: "View cart" })).toBeVisible();
    await expectNoViolations();

    const link = await field.inputValue();
    await visitor.visit(page, new URL(link).pathname);
    await expect(listed(page)).toHaveCount(2);
    await expectNoViolations();
    await visitor.visit(page, WISHLIST);
    await page.getByRole("button", { name: "Stop sharing" }).click();
    await expect(page.getByText("The link no longer works")).toBeVisible();
    await expectNoViolations();
    await visitor.visit(page, new URL(link).pathname);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This list is no longer shared");
    await expectNoViolations();
    await visitor.visit(page, `${WISHLIST}/shared/0123456789abcdefghijkl`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is no list behind this link");
    await expectNoViolations();
  });
});
