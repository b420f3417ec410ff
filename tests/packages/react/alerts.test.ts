import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { expect as expectPage } from "../../support/browser/expect.ts";
import { test } from "./fixtures/shop-front.ts";
import { MATRIX } from "../../support/matrix.ts";

/** Responds in the service's place. @returns the requests' bodies, and what releases the responses */
async function respond(page: Page, data: object): Promise<{ bodies: unknown[]; release: () => void }> {
  const bodies: unknown[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/alert-requests/, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    bodies.push(route.request().postDataJSON());
    await released;
    return route.fulfill({ headers: { "access-control-allow-origin": "*" }, json: { ok: true, data } });
  });
  return { bodies, release };
}

async function ask(page: Page, email = ""): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Tell me" }).click();
}

describe("useAlertRequest", () => {
  test("asks once for two presses, and says that the guest has to confirm", MATRIX, async ({ visit }) => {
    const page = await visit.open("alert");
    const { bodies, release } = await respond(page, { state: "confirm" });
    await ask(page, "ana@example.com");
    await expectPage(page.locator("#alert")).toHaveText("pending");
    await page.getByRole("button", { name: "Tell me" }).click();
    release();
    await expectPage(page.locator("#alert")).toHaveText("confirm");
    expect(bodies).toEqual([{ kind: "back_in_stock", email: "ana@example.com", product_id: "1", variant_id: "11" }]);
  });

  test("reads a customer's hearts anew, because the item is saved", async ({ visit }) => {
    const page = await visit.open("alert&cards=1");
    await visit.login(page);
    await visit.quiet(page);
    const { release } = await respond(page, { state: "active" });
    visit.requests = [];
    release();
    await ask(page);
    await expectPage(page.locator("#alert")).toHaveText("active");
    await visit.quiet(page);
    expect(visit.reads()).toEqual(["GET contains"]);
  });

  test("begins anew for another variant, also while a request is under way", async ({ visit }) => {
    const page = await visit.open("alert");
    const { bodies, release } = await respond(page, { state: "confirm" });
    await ask(page, "ana@example.com");
    await page.getByRole("button", { name: "Other variant" }).click();
    await expectPage(page.locator("#alert")).toHaveText("");
    await ask(page, "ana@example.com");
    release();
    await expectPage(page.locator("#alert")).toHaveText("confirm");
    expect(bodies).toMatchObject([{ variant_id: "11" }, { variant_id: "12" }]);
  });

  test("returns why the service refused, and reports it", async ({ visit }) => {
    const page = await visit.open("alert");
    // The shop offers no alerts.
    await ask(page, "ana@example.com");
    await expectPage(page.locator("#alert")).toHaveText("alerts_unavailable");
    expect(await page.evaluate(() => window.front.errors)).toEqual(["alerts_unavailable"]);
  });
});
