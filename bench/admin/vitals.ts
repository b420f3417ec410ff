import type { Browser, Frame, Page } from "playwright";
import { z } from "zod";
import { launchBrowser, LIKE_A_PERSON } from "../../tests/support/browser.ts";

const vitalsShape = z.object({
  lcp: z.number().positive(),
  cls: z.number(),
  /** the slowest press until the next frame is painted */
  inp: z.number(),
});

/** What a merchant feels of a page, as Shopify's programme measures it: milliseconds, and a share of the screen times a distance. */
export type Vitals = z.infer<typeof vitalsShape>;

const SLOW_DOWN = 4;
const PRESSES = 8;

/** Notes what the browser tells of its painting, from a page's first moment on. */
function observe(): void {
  const vitals = { lcp: 0, cls: 0, inp: 0 };
  Object.assign(globalThis, { vitals });
  const on = (type: string, options: object, note: (entry: PerformanceEntry) => void): void => {
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...options });
  };
  on("largest-contentful-paint", {}, (entry) => {
    vitals.lcp = entry.startTime;
  });
  on("layout-shift", {}, (entry) => {
    if ("hadRecentInput" in entry && "value" in entry && entry.hadRecentInput === false)
      vitals.cls += Number(entry.value);
  });
  on("event", { durationThreshold: 16 }, (entry) => {
    if ("interactionId" in entry && Number(entry.interactionId) > 0) vitals.inp = Math.max(vitals.inp, entry.duration);
  });
}

/** A browser that shows the app's frame in the process of the admin around it, so that both are slowed down. */
export function openBrowser(hostResolverRules: string): Promise<Browser> {
  return launchBrowser({
    hostResolverRules,
    args: ["--disable-site-isolation-trials", "--disable-features=IsolateOrigins,site-per-process"],
  });
}

async function appFrame(page: Page): Promise<Frame> {
  const element = await page.waitForSelector("#app-frame");
  const frame = await element.contentFrame();
  if (!frame) throw new Error("the admin shows no app");
  await frame.waitForSelector("main");
  await page.waitForLoadState("networkidle");
  return frame;
}

/** Moves through the page by the keyboard, and presses what changes nothing: the merchant's next key is as good as a press. */
async function use(page: Page, frame: Frame): Promise<void> {
  await frame
    .locator("main")
    .first()
    .click({ position: { x: 2, y: 2 } });
  for (let press = 0; press < PRESSES; press++) await page.keyboard.press("Tab");
  const press = frame.locator("main [aria-expanded]:visible, main [role=tab]:visible");
  for (const control of (await press.all()).slice(0, 3)) {
    await control.click();
    await frame.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    await page.keyboard.press("Escape");
  }
}

/** Opens a page of the app by its address, as a merchant does who comes for the first time. */
export async function vitalsOf(browser: Browser, address: string): Promise<Vitals> {
  const context = await browser.newContext(LIKE_A_PERSON);
  try {
    const page = await context.newPage();
    await context.addInitScript(observe);
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DOWN });
    await page.goto(address);
    const frame = await appFrame(page);
    await use(page, frame);
    // What was painted is told a moment later.
    const told = await frame.evaluate(
      () => new Promise((resolve) => setTimeout(() => resolve(Reflect.get(globalThis, "vitals")), 500)),
    );
    return vitalsShape.parse(told);
  } finally {
    await context.close();
  }
}
