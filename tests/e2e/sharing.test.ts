import type { Page } from "playwright";
import { expect as expectValue } from "vitest";
import { test } from "./fixtures/journey.ts";
import { productAt, type Login } from "./fixtures/live-store.ts";
import {
  COLLECTION,
  expect,
  heartOf,
  listed,
  press,
  removeButton,
  saveAll,
  share,
  shareButton,
  undoButton,
  WISHLIST,
  type Visitor,
} from "./fixtures/visitor.ts";
import { MATRIX } from "../support/matrix.ts";

const [first, second, third] = [productAt(0), productAt(1), productAt(2)];

/** Logs in, saves two products and shares them. */
async function shareTwo(owner: Visitor, customer: Login): Promise<{ page: Page; link: string }> {
  await owner.startSession(customer);
  const page = await owner.context.newPage();
  await saveAll(owner, page, [first, second]);
  await owner.visit(page, WISHLIST);
  return { page, link: await share(page) };
}

test("a share link shows the current list without its owner until it is revoked", async ({
  store,
  visitor: owner,
  arrive,
}) => {
  const customer = store.newCustomer();
  const { page, link } = await shareTwo(owner, customer);
  expectValue(link).toMatch(new RegExp(`^${store.url}${WISHLIST}/shared/\\w+_\\w{22}$`));

  // Every request and response of the friend's browser.
  const friend = await arrive();
  const seen: string[] = [];
  friend.context.on("response", (response) => {
    seen.push(response.url(), JSON.stringify(response.headers()), response.request().postData() ?? "");
  });
  const shared = await friend.open();
  const response = await shared.goto(link);
  await expect(shared.getByRole("heading", { level: 1 })).toHaveText("A shared wishlist");
  await expect(listed(shared)).toHaveText([second.title, first.title]);
  seen.push((await response?.text()) ?? "", await shared.content());
  const [firstName = "", lastName = ""] = customer.name.split(" ");
  const everything = seen.join("\n");
  expectValue(everything).toContain(first.productId);
  for (const secret of [customer.customerId, firstName, lastName, customer.email])
    expectValue(everything).not.toContain(secret);
  await expect(shared.locator("[data-wishlist-remove], [data-wishlist-share]")).toHaveCount(0);

  // The link shows the current list, also while its owner removes and restores an item.
  await press(heartOf(await owner.open(COLLECTION), third.handle));
  await shared.reload();
  await expect(listed(shared)).toHaveText([third.title, second.title, first.title]);
  await removeButton(page, first.title).click();
  await expect(undoButton(page, first.title)).toBeFocused();
  await shared.reload();
  await expect(listed(shared)).toHaveText([third.title, second.title]);

  // The open page does not change when the link ends; the next request shows the end.
  await owner.visit(page, WISHLIST);
  await shareButton(page).click();
  await page.getByRole("button", { name: "Stop sharing" }).click();
  await expect(page.getByText("The link no longer works")).toBeVisible();
  await expect(listed(shared)).toHaveCount(2);
  expectValue((await shared.reload())?.status()).toBe(200);
  await expect(shared.getByRole("heading", { level: 1 })).toHaveText("This wishlist is no longer shared");
  await expect(listed(shared)).toHaveCount(0);
});

test(
  "a sharer's name is in the title of the shared page, in the reader's language",
  MATRIX,
  async ({ store, visitor: owner, arrive }) => {
    const { page, link } = await shareTwo(owner, store.newCustomer());
    const name = page.getByRole("textbox", { name: "Your name" });
    await name.fill("Ana & Ben <i>");
    await name.press("Enter");
    await expect(page.getByText("Changes saved")).toBeVisible();
    const friend = await arrive();
    const shared = await friend.open(new URL(link).pathname);
    await expect(shared).toHaveTitle(/^Wishlist of Ana & Ben ‹i› – /);
    await expect(shared.getByRole("heading", { level: 1 })).toHaveText("Wishlist of Ana & Ben <i>");
    await friend.visit(shared, `/ja${new URL(link).pathname}`);
    await expect(shared).toHaveTitle(/^Ana & Ben ‹i›さんのほしい物リスト – /);
  },
);
