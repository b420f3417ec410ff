import { describe, expect as expectValue } from "vitest";
import { LANGUAGES } from "../../app/storefront/pages/texts.ts";
import { test } from "../e2e/fixtures/journey.ts";
import { productAt } from "../e2e/fixtures/live-store.ts";
import { expect, listed, saveAll, WISHLIST } from "../e2e/fixtures/visitor.ts";
import { MATRIX } from "../support/matrix.ts";

const [first, second] = [productAt(0), productAt(1)];

test("a page in another language keeps language and market in links, forms and requests", async ({ visitor }) => {
  const page = await visitor.open();
  await saveAll(visitor, page, [first, second]);
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") requests.push(new URL(request.url()).pathname);
  });
  await visitor.visit(page, `/de${WISHLIST}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Meine Wunschliste");
  const card = page.locator("[data-wishlist-item]").last();
  await expect(card.getByRole("link", { name: first.title })).toHaveAttribute("href", /^\/de\/products\//);
  await expect(card.locator("[data-wishlist-remove]")).toHaveAttribute("action", `/de${WISHLIST}/items/remove`);
  await card.getByRole("button", { name: `${first.title} von der Wunschliste entfernen` }).click();
  await page.getByRole("button", { name: /Rückgängig$/ }).click();
  await expect(page.getByRole("status").filter({ hasText: "Wieder auf der Wunschliste" })).toBeVisible();
  expectValue(requests).toEqual(["page", "remove", "add"].map((path) => `/de${WISHLIST}/api/${path}`));
});

test("the block in a page of the theme has its language, and leaves the title to the page", async ({
  store,
  visitor,
}) => {
  await visitor.startSession(store.newCustomer());
  const page = await visitor.context.newPage();
  await saveAll(visitor, page, [first]);
  for (const [path, title] of [
    ["/pages/wishlist", "My wishlist"],
    ["/de/pages/wishlist", "Meine Wunschliste"],
  ] as const) {
    await visitor.visit(page, path);
    await expect(page.getByRole("region", { name: title })).toBeVisible();
    await expect(page.getByRole("heading", { level: 2, name: first.title })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  }
});

describe("the message after an undo or a share", () => {
  for (const [language, words] of Object.entries(LANGUAGES)) {
    test(`is shown in ${language}`, language === "fr" ? {} : MATRIX, async ({ store, visitor }) => {
      await visitor.startSession(store.newCustomer());
      const page = await visitor.context.newPage();
      await saveAll(visitor, page, [first]);
      await visitor.visit(page, `${language === "en" ? "" : `/${language}`}${WISHLIST}`);
      const status = page.locator("[data-wishlist-status]");
      await page.locator("[data-wishlist-remove] button").click();
      await page.getByRole("button", { name: words.undo }).click();
      await expect(status).toHaveText(words.restored);
      await expect(listed(page)).toHaveText([first.title]);
      await page.getByRole("button", { name: words.share, exact: true }).click();
      await expect(status).toHaveText(words.shared);
      await expect(page.getByRole("button", { name: words.copy })).toBeFocused();
      await page.getByRole("button", { name: words.stop }).click();
      await expect(status).toHaveText(words.stopped);
    });
  }
});
