import type { Locator, Page } from "playwright";
import { afterAll, beforeAll, test } from "vitest";
import { openStore, productAt, type LiveStore } from "./fixtures/live-store.ts";
import { COLLECTION, expect, expectSaved, heartOf, listed, Visitor } from "./fixtures/visitor.ts";

const [first, second] = [productAt(0), productAt(1)];

let store: LiveStore;

beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());

/** Goes on with Tab until the focus is there, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let steps = 0; steps < 120; steps++) {
    await page.keyboard.press("Tab");
    if ((await target.count()) === 1 && (await target.evaluate((one) => one === document.activeElement))) return;
  }
  throw new Error(`120 times Tab did not lead to ${String(target)}`);
}

async function expectFocus(page: Page): Promise<void> {
  await expect(page.locator(":focus")).toHaveCount(1);
}

test("everything can be done with the keyboard, with the focus where one goes on and a word on what happened", async () => {
  const visitor = await Visitor.arrive(store);
  const page = await visitor.open("/account/login");
  const login = store.newCustomer();
  await tabTo(page, page.getByRole("button", { name: login.name }));
  await page.keyboard.press("Enter");
  await page.waitForURL(`${store.url}/`);
  await visitor.visit(page, COLLECTION);

  for (const { handle } of [second, first]) {
    await page.locator("body").evaluate((body) => {
      body.tabIndex = -1;
      body.focus();
    });
    await tabTo(page, heartOf(page, handle));
    await page.keyboard.press("Space");
    await expectSaved(heartOf(page, handle));
    await expect(heartOf(page, handle)).toBeFocused();
  }
  await page.waitForLoadState("networkidle");
  const counter = page.locator(".whl-counter");
  await expect(counter).toHaveAccessibleName(/Wishlist\s*2/i);
  await page.keyboard.press("Control+Home");
  await page.locator("body").evaluate((body) => body.focus());
  await tabTo(page, counter);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/apps\/wishlist$/);
  await page.waitForLoadState("networkidle");

  const remove = page.getByRole("button", { name: `Remove ${first.title} from the wishlist` });
  await tabTo(page, remove);
  await page.keyboard.press("Enter");
  const undo = page.getByRole("button", { name: new RegExp(`^Removed from your wishlist: ${first.title}\\. Undo$`) });
  await expect(undo).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(remove).toBeFocused();
  await expect(listed(page)).toHaveText([first.title, second.title]);

  const share = page.getByRole("button", { name: "Share", exact: true });
  await page.locator("body").evaluate((body) => {
    body.tabIndex = -1;
    body.focus();
  });
  await tabTo(page, share);
  await page.keyboard.press("Enter");
  const copy = page.getByRole("button", { name: "Copy link" });
  await expect(copy).toBeFocused();
  await visitor.context.grantPermissions(["clipboard-write"]);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Link copied" })).toBeVisible();
  await expectFocus(page);
  await tabTo(page, page.getByRole("button", { name: "Stop sharing" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "The link no longer works" })).toBeVisible();
  await expect(share).toBeFocused();

  // Nothing to remove any more: the focus is not lost with the last item either.
  for (const { title } of [first, second]) {
    const one = page.getByRole("button", { name: `Remove ${title} from the wishlist` });
    await one.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: new RegExp(`^Removed.*${title}`) })).toBeFocused();
  }
  await expect(page.locator("[data-wishlist-total]")).toHaveText("0 items");
  await visitor.leave();
});
