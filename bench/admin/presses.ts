import type { Frame, Locator, Page } from "playwright";

const TABS = 8;
/** Controls of one kind that are used on a page. */
const OF_A_KIND = 3;

/** Buttons that ask before they do anything. */
const ASKING = /^(Remove|Revoke link|Downgrade to Free)$/;

/** Until the press is answered and what it fetched is there: the next one is another press, not part of this. */
async function settled(page: Page, frame: Frame): Promise<void> {
  await frame.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
  await page.waitForLoadState("networkidle");
}

/**
 * Uses each control that can be used by now, one after the other: what a press shows, is used as well, and what it takes away, is not.
 * @param use presses it
 */
async function each(found: Locator, use: (control: Locator) => Promise<void>): Promise<void> {
  for (let place = 0; place < OF_A_KIND; place++) {
    const control = found.nth(place);
    if ((await control.count()) === 0) return;
    if (await control.isEnabled()) await use(control);
  }
}

/**
 * What a merchant does on a page, as far as it changes nothing that is stored: moves by the keyboard, opens what can be opened, chooses, ticks,
 * types, and looks at what asks for a confirmation.
 */
export async function usePage(page: Page, frame: Frame): Promise<void> {
  const main = frame.locator("main").first();
  const done = (): Promise<void> => settled(page, frame);
  await main.click({ position: { x: 2, y: 2 } });
  for (let press = 0; press < TABS; press++) await page.keyboard.press("Tab");

  await each(main.locator("[aria-expanded]:visible, [aria-haspopup]:visible, [role=tab]:visible"), async (control) => {
    await control.click();
    await done();
    await page.keyboard.press("Escape");
    await done();
  });
  await each(main.locator("input[type=checkbox]:visible, input[type=radio]:visible"), async (box) => {
    // Polaris draws its own box above the browser's.
    await box.locator("xpath=ancestor::label[1]").click();
    await done();
  });
  await each(main.getByRole("button", { name: ASKING }), async (button) => {
    await button.click();
    await done();
    await frame.getByRole("button", { name: "Cancel", exact: true }).last().click();
    await done();
  });
  const fields = "textarea:visible, input:visible:is([type=text], [type=number], [type=url], [type=search])";
  await each(main.locator(fields).and(main.locator(":not([readonly])")), async (field) => {
    await field.click();
    await page.keyboard.type("12a");
    await done();
  });
  await each(main.locator("select:visible"), async (select) => {
    await select.focus();
    await page.keyboard.press("ArrowDown");
    await done();
  });
}
