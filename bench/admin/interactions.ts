import type { Frame, Locator, Page } from "playwright";
import type { Traffic } from "../../tests/support/browser/traffic.ts";

const TABS = 8;
/** Maximum of used controls of each kind per page. */
const CONTROLS_PER_KIND = 3;

/** Buttons that open a confirmation. */
const CONFIRMED_BUTTONS = /^(Remove|Revoke link|Downgrade to Free)$/;

/** A page of the app as it is used. */
export interface UsedPage {
  page: Page;
  frame: Frame;
  traffic: Traffic;
}

/** Waits until an interaction and its requests are complete, so that the next one is measured separately. */
async function idle({ frame, traffic }: UsedPage): Promise<void> {
  await frame.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
  await traffic.quiet(frame);
}

/**
 * Presses a control with the mouse. The pointer is there before, as a person's is, and no check of Playwright runs within the press, as in its
 * `click`.
 */
async function press(used: UsedPage, control: Locator): Promise<void> {
  const { mouse } = used.page;
  await control.hover();
  await idle(used);
  await mouse.down();
  await mouse.up();
  await idle(used);
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
export async function usePage(used: UsedPage): Promise<void> {
  const { page, frame } = used;
  const main = frame.locator("main").first();
  await main.click({ position: { x: 2, y: 2 } });
  for (let tab = 0; tab < TABS; tab++) await page.keyboard.press("Tab");

  await useEach(
    main.locator("[aria-expanded]:visible, [aria-haspopup]:visible, [role=tab]:visible"),
    async (control) => {
      await press(used, control);
      await page.keyboard.press("Escape");
      await idle(used);
    },
  );
  await useEach(main.locator("input[type=checkbox]:visible, input[type=radio]:visible"), async (box) => {
    // Polaris draws its own box above that of the browser.
    await press(used, box.locator("xpath=ancestor::label[1]"));
  });
  await useEach(main.getByRole("button", { name: CONFIRMED_BUTTONS }), async (button) => {
    await press(used, button);
    await press(used, frame.getByRole("button", { name: "Cancel", exact: true }).last());
  });
  const fields = "textarea:visible, input:visible:is([type=text], [type=number], [type=url], [type=search])";
  await useEach(main.locator(fields).and(main.locator(":not([readonly])")), async (field) => {
    await press(used, field);
    await page.keyboard.type("12a");
    await idle(used);
  });
  await useEach(main.locator("select:visible"), async (select) => {
    await select.focus();
    await page.keyboard.press("ArrowDown");
    await idle(used);
  });
}
