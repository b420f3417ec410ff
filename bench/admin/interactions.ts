import type { Frame, Locator, Page } from "playwright";

const TABS = 8;
/** Maximum of used controls of each kind per page. */
const CONTROLS_PER_KIND = 3;

/** Buttons that open a confirmation. */
const CONFIRMED_BUTTONS = /^(Remove|Revoke link|Downgrade to Free)$/;

/** Waits until an interaction and its requests are complete, so that the next one is measured separately. */
async function pageIdle(page: Page, frame: Frame): Promise<void> {
  await frame.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
  await page.waitForLoadState("networkidle");
}

/**
 * Uses controls one after the other. The locator is evaluated again each time, so controls that appear are used and removed ones are not.
 * @param use interacts with one control
 */
async function useEach(found: Locator, use: (control: Locator) => Promise<void>): Promise<void> {
  for (let index = 0; index < CONTROLS_PER_KIND; index++) {
    const control = found.nth(index);
    if ((await control.count()) === 0) return;
    if (await control.isEnabled()) await use(control);
  }
}

/**
 * Interacts with a page like a merchant, without changing stored data: moves by keyboard, opens menus and tabs, ticks boxes, opens and
 * cancels confirmations, types and selects.
 */
export async function usePage(page: Page, frame: Frame): Promise<void> {
  const main = frame.locator("main").first();
  const idle = (): Promise<void> => pageIdle(page, frame);
  await main.click({ position: { x: 2, y: 2 } });
  for (let press = 0; press < TABS; press++) await page.keyboard.press("Tab");

  await useEach(
    main.locator("[aria-expanded]:visible, [aria-haspopup]:visible, [role=tab]:visible"),
    async (control) => {
      await control.click();
      await idle();
      await page.keyboard.press("Escape");
      await idle();
    },
  );
  await useEach(main.locator("input[type=checkbox]:visible, input[type=radio]:visible"), async (box) => {
    // Polaris draws its own box above that of the browser.
    await box.locator("xpath=ancestor::label[1]").click();
    await idle();
  });
  await useEach(main.getByRole("button", { name: CONFIRMED_BUTTONS }), async (button) => {
    await button.click();
    await idle();
    await frame.getByRole("button", { name: "Cancel", exact: true }).last().click();
    await idle();
  });
  const fields = "textarea:visible, input:visible:is([type=text], [type=number], [type=url], [type=search])";
  await useEach(main.locator(fields).and(main.locator(":not([readonly])")), async (field) => {
    await field.click();
    await page.keyboard.type("12a");
    await idle();
  });
  await useEach(main.locator("select:visible"), async (select) => {
    await select.focus();
    await page.keyboard.press("ArrowDown");
    await idle();
  });
}
