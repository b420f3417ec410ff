import type { Page } from "playwright";
import { describe, expect } from "vitest";
import type { ProxyCall } from "../support/app/storefront.ts";
import { violations } from "../support/browser/axe.ts";
import { PHONE } from "../support/browser/browser.ts";
import { choose, product, testWith } from "../support/browser/wishlist-pages.ts";
import { MATRIX } from "../support/matrix.ts";

const test = testWith([product(0, "Larch Wool Beanie"), product(1, "Ridge 28 Daypack"), product(2, "Trail Socks")]);

/** The store with its shoppers, as far as these tests need it outside of a test. */
interface Pages {
  page: Page;
  as: (customer?: string) => ProxyCall;
}

const LONG_NAME =
  "An unusually long name of a list, typed without any regard for the narrow screen of a telephone!!!!!";

async function createList(pages: Pages, customer: string, name: string, ...items: number[]): Promise<string> {
  const ask = pages.as(customer);
  const created = await ask("POST", "/api/createList", { json: { name } });
  const { listId } = created.data<{ listId: string }>();
  for (const productId of items) {
    (await ask("POST", "/api/add", { json: { listId, productId: String(productId) } })).data();
  }
  return listId;
}

/** Opens what can be done with the lists. */
function openLists(page: Page): Promise<void> {
  return page.locator("[data-wishlist-lists] > summary").click();
}

/** Returns the lists with their counts; none where there is only one. */
function listsOf({ page }: Pages): Promise<string[]> {
  return page.locator("[data-wishlist-lists] .wl-choice").evaluateAll((all) => all.map((one) => one.textContent));
}

describe("a customer's page", () => {
  test("creates and renames a list, and deletes it with a way back", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(101);
    await pages.open();
    await page.getByText("New list").click();
    await page.getByLabel("List name").fill("Birthday");
    await page.keyboard.press("Enter");
    await page.getByText("List created").waitFor();
    expect(await listsOf(pages)).toEqual(["My wishlist1", "Birthday0"]);
    expect(new URL(page.url()).searchParams.get("list")).toMatch(/^lst_/);

    await openLists(page);
    await page.getByText("Rename list").click();
    await page.getByLabel("List name").last().fill("Party");
    await page.keyboard.press("Enter");
    await page.getByText("List renamed").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Party");

    await openLists(page);
    await page.getByRole("button", { name: "Delete list" }).click();
    await page.getByText("“Party” was deleted").waitFor();
    expect(await listsOf(pages)).toEqual([]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Your list is back").waitFor();
    expect(await listsOf(pages)).toEqual(["My wishlist1", "Party0"]);
  });

  test("says why a list can't have a name", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(101);
    await createList(pages, customer, "Birthday");
    await pages.open();
    await openLists(page);
    await page.getByText("New list").click();
    await page.getByLabel("List name").first().fill("birthday");
    await page.getByRole("button", { name: "Create list" }).click();
    await page.getByText("You already have a list with this name. Choose another name.").waitFor();
    pages.forgiveRequests();
  });

  test("moves and copies an item by keyboard", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(102, 101);
    await createList(pages, customer, "Birthday");
    await pages.open();
    await page.locator("[data-wishlist-menu] summary").first().press("Enter");
    await page.getByRole("button", { name: "Move – Larch Wool Beanie", exact: true }).press("Enter");
    await page.getByText("Moved to “Birthday”").waitFor();
    expect(await pages.names()).toEqual(["Ridge 28 Daypack"]);
    await page.locator("[data-wishlist-menu] summary").press("Enter");
    await page.getByRole("button", { name: "Copy – Ridge 28 Daypack" }).press("Enter");
    await page.getByText("Copied to “Birthday”").waitFor();
    expect(await listsOf(pages)).toEqual(["My wishlist1", "Birthday2"]);
    await page.locator("[data-wishlist-lists] > summary").press("Enter");
    await page.getByRole("link", { name: "Birthday" }).press("Enter");
    await page.getByRole("heading", { name: "Birthday" }).waitFor();
    expect((await pages.names()).sort()).toEqual(["Larch Wool Beanie", "Ridge 28 Daypack"]);
    expect(await pages.stored()).toMatchObject({ count: 2 });
  });

  test("counts the items of the list that is shown, and a product of two lists once", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(102, 101);
    await createList(pages, customer, "Birthday", 101);
    await pages.open();
    await page.getByText("2 items").waitFor();
    expect(await pages.stored()).toMatchObject({ count: 2 });
    await page.getByRole("button", { name: "Remove Larch Wool Beanie from the wishlist" }).click();
    await page.getByText("1 item", { exact: true }).waitFor();
    expect(await listsOf(pages)).toEqual(["My wishlist1", "Birthday1"]);
    expect(await pages.stored()).toMatchObject({ count: 2 });
  });

  test("takes a move back, with the item's details", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(102, 101);
    await createList(pages, customer, "Birthday");
    const json = { productId: "101", variant_id: "1101", quantity: 2, note: "For Anna" };
    await pages.as(customer)("POST", "/api/updateListItem", { json });
    await pages.open();
    await page.locator("[data-wishlist-menu] summary").first().click();
    await page.getByRole("button", { name: "Move – Larch Wool Beanie", exact: true }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Moved to “My wishlist”").waitFor();
    expect(await listsOf(pages)).toEqual(["My wishlist2", "Birthday0"]);
    expect(await pages.names()).toEqual(["Larch Wool Beanie", "Ridge 28 Daypack"]);
    expect(await page.locator("[data-wishlist-details]").first().innerText()).toBe("Quantity: 2\n\nFor Anna");
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
  });

  test("leaves an item with the list that had it when a move there is taken back", MATRIX, async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(101);
    const listId = await createList(pages, customer, "Birthday", 101);
    const ask = pages.as(customer);
    const item = { productId: "101", variant_id: "1101" };
    await ask("POST", "/api/updateListItem", { json: { ...item, note: "Mine" } });
    await ask("POST", "/api/updateListItem", { json: { ...item, listId, note: "Theirs" } });
    await pages.open();
    await page.locator("[data-wishlist-menu] summary").click();
    await page.getByRole("button", { name: /^Move – / }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Moved to “My wishlist”").waitFor();
    expect(await listsOf(pages)).toEqual(["My wishlist1", "Birthday1"]);
    expect(await page.locator(".wl-note").innerText()).toBe("Mine");
    await pages.open(`?list=${listId}`);
    expect(await page.locator(".wl-note").innerText()).toBe("Theirs");
  });

  test("takes 100 emoji as a name and 500 as a note, and says why it refuses one more", MATRIX, async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(101);
    await createList(pages, customer, "Birthday");
    await pages.open();
    await openLists(page);
    const rename = async (name: string): Promise<void> => {
      await page.getByText("Rename list").click();
      await page.getByLabel("List name").last().fill(name);
      await page.keyboard.press("Enter");
    };
    await rename("🎂".repeat(101));
    await page.getByText("Enter a name with 1 to 100 characters.").waitFor();
    await page.keyboard.press("Escape");
    await rename("🎂".repeat(100));
    await page.getByRole("heading", { name: "🎂".repeat(100) }).waitFor();

    const write = async (note: string): Promise<void> => {
      await page.getByLabel("Note").fill(note);
      await page.getByRole("button", { name: /^Save – / }).click();
    };
    await page.locator("[data-wishlist-menu] summary").click();
    await write("🎂".repeat(501));
    await page.getByText("a note of up to 500 characters").waitFor();
    await write("🎂".repeat(500));
    await page.getByText("Changes saved").waitFor();
    expect(await page.locator(".wl-note").innerText()).toBe("🎂".repeat(500));
    pages.forgiveRequests();
  });

  test("sorts by position, with items without one last", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(103, 102, 101);
    const json = { productId: "103", variant_id: "1103", position: 1 };
    await pages.as(customer)("POST", "/api/updateListItem", { json });
    await pages.open();
    await choose(page, "Custom order");
    await page.waitForURL(/sort=position/);
    expect(await pages.names()).toEqual(["Trail Socks", "Larch Wool Beanie", "Ridge 28 Daypack"]);
  });

  test("shows quantity and note, and adds all to the cart with quantities", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(102, 101);
    await pages.open();
    await page.locator("[data-wishlist-menu] summary").first().click();
    await page.getByLabel("Quantity").first().fill("3");
    await page.getByLabel("Note").first().fill("For <b>Anna</b>");
    await page.getByRole("button", { name: "Save – Larch Wool Beanie" }).click();
    await page.getByText("Changes saved").waitFor();
    expect(await page.locator("[data-wishlist-details]").first().innerText()).toBe("Quantity: 3\n\nFor <b>Anna</b>");
    await page.getByRole("button", { name: "Add all to cart" }).click();
    await page.getByText("2 items added to cart").waitFor();
    expect((await pages.cart()).sort()).toEqual([1101, 1101, 1101, 1102]);
    await page.reload();
    expect(await page.locator(".wl-note").innerText()).toBe("For <b>Anna</b>");
  });

  test("keeps quantity and note when a removal is undone", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(101);
    const json = { productId: "101", variant_id: "1101", quantity: 2, note: "For Anna" };
    await pages.as(customer)("POST", "/api/updateListItem", { json });
    await pages.open();
    await page.getByRole("button", { name: /^Remove Larch/ }).click();
    await page.getByRole("button", { name: /Undo/ }).click();
    await page.getByText("Back on your wishlist").waitFor();
    await page.reload();
    expect(await page.locator("[data-wishlist-details]").innerText()).toBe("Quantity: 2\n\nFor Anna");
  });

  test("shows the default list with a notice for a list that does not exist", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(101);
    await pages.open("?list=lst_unknown");
    expect(await page.locator(".wl-outcome").innerText()).toBe(
      "This list no longer exists, so here is your main list.",
    );
    expect(await pages.names()).toEqual(["Larch Wool Beanie"]);
  });

  test("shares the list that is shown, under its name", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(101);
    const listId = await createList(pages, customer, "<script>alert(1)</script>", 102);
    await pages.open(`?list=${listId}`);
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByText("The link is ready").waitFor();
    const link = await page.getByLabel("Share link").inputValue();
    await page.goto(link);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("<script>alert(1)</script>");
    expect(await pages.names()).toEqual(["Ridge 28 Daypack"]);
    expect(await page.locator("[data-wishlist-menu], [data-wishlist-lists]").count()).toBe(0);
  });

  test("fits a phone with 100 characters in a list's name, and is accessible", MATRIX, async ({ pages }) => {
    const { page } = pages;
    await page.setViewportSize(PHONE);
    const customer = await pages.customerWith(101);
    const listId = await createList(pages, customer, LONG_NAME, 102, 101);
    await createList(pages, customer, "🎂".repeat(100));
    await pages.open(`?list=${listId}`);
    await page.locator("[data-wishlist-menu] summary").last().click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    expect(await violations(page.locator(".wl"))).toEqual([]);
  });
});

test("another tab shows a new name at once, and another device's change on the return to the tab", async ({
  pages,
}) => {
  const { page } = pages;
  const customer = await pages.customerWith(101);
  const listId = await createList(pages, customer, "Birthday");
  await pages.open(`?list=${listId}`);
  const other = await page.context().newPage();
  await pages.open(`?list=${listId}`, other);
  await openLists(page);
  await page.getByText("Rename list").click();
  await page.getByLabel("List name").last().fill("Party");
  await page.keyboard.press("Enter");
  await other.getByRole("heading", { name: "Party" }).waitFor();

  const json = { listId, name: "Picnic" };
  await pages.as(customer)("POST", "/api/updateList", { json });
  await other.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await other.getByRole("heading", { name: "Picnic" }).waitFor();
});

test("a guest has named lists on the page", async ({ pages }) => {
  const { page } = pages;
  await pages.guestWith(101);
  await pages.open();
  await page.getByText("New list").click();
  await page.getByLabel("List name").fill("Birthday");
  await page.keyboard.press("Enter");
  await page.getByText("List created").waitFor();
  await openLists(page);
  await page.getByRole("link", { name: "My wishlist" }).click();
  await page.locator("[data-wishlist-menu] summary").click();
  await page.getByRole("button", { name: /^Move – / }).click();
  await page.getByText("Moved to “Birthday”").waitFor();
  expect(await listsOf(pages)).toEqual(["My wishlist0", "Birthday1"]);
  expect(await pages.stored()).toMatchObject({ count: 1, saved: { "101": { v: ["1101"] } } });
});

test("without JavaScript, forms change lists and items, and take a deletion back", MATRIX, async ({ pages }) => {
  await pages.customerWith(102, 101);
  const page = await pages.openWithoutScript();
  const outcome = page.locator(".wl-outcome");
  await page.getByText("New list").click();
  await page.getByLabel("List name").fill("Birthday");
  await page.getByRole("button", { name: "Create list" }).click();
  await openLists(page);
  await page.getByText("Rename list").click();
  await page.getByLabel("List name").last().fill("  ");
  await page.getByRole("button", { name: "Save" }).click();
  expect(await outcome.innerText()).toBe("Enter a name with 1 to 100 characters.");
  await openLists(page);
  await page.getByText("Rename list").click();
  await page.getByLabel("List name").last().fill("Party");
  await page.getByRole("button", { name: "Save" }).click();
  expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Party");

  await pages.open("", page);
  await page.locator("[data-wishlist-menu] summary").first().click();
  await page.getByLabel("Quantity").first().fill("4");
  await page.getByLabel("Note").first().fill("One\nTwo");
  await page.getByRole("button", { name: "Save – Larch Wool Beanie" }).click();
  expect(await page.locator("[data-wishlist-details]").first().innerText()).toBe("Quantity: 4\n\nOne\nTwo");
  await page.locator("[data-wishlist-menu] summary").first().click();
  await page.getByRole("button", { name: "Move – Larch Wool Beanie", exact: true }).click();
  expect(await outcome.innerText()).toMatch(/^Moved to “Party”/);
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await outcome.innerText()).toBe("Moved to “My wishlist”");
  expect(await page.locator("[data-wishlist-details]").first().innerText()).toBe("Quantity: 4\n\nOne\nTwo");
  await page.locator("[data-wishlist-menu] summary").first().click();
  await page.getByRole("button", { name: "Move – Larch Wool Beanie", exact: true }).click();

  await openLists(page);
  await page.getByRole("link", { name: "Party" }).click();
  expect(await page.locator("[data-wishlist-details]").innerText()).toBe("Quantity: 4\n\nOne\nTwo");
  await openLists(page);
  await page.getByRole("button", { name: "Delete list" }).click();
  expect(await outcome.innerText()).toMatch(/^“Party” was deleted/);
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await outcome.innerText()).toBe("Your list is back");
  expect(await page.locator("[data-wishlist-item]").count()).toBe(1);
});
