import type { Browser, Page } from "playwright";
import { z } from "zod";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { launchBrowser } from "../../tests/support/browser/browser.ts";
import { blockRenderer } from "../../tests/support/browser/theme-blocks.ts";
import { MANY, type Product } from "../../tests/themes/products.ts";
import { picture, type TestTheme } from "../../tests/themes/test-theme.ts";
import { dawn } from "../../tests/themes/test-themes/dawn.ts";
import { horizon } from "../../tests/themes/test-themes/horizon.ts";
import { ThemeVisit } from "../../tests/themes/visit.ts";
import { isEnding, say } from "../lifetime.ts";
import { spreadOf } from "../measure/spread.ts";
import { milliseconds, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";

/** Milliseconds that the extension may add. */
const MAX_ADDED = 50;
/** Factor of CPU throttling. */
const SLOW_DOWN = 4;

const [first] = MANY;
if (!first) throw new Error("There is no product.");

/** Records the tasks that block the page: those of more than 50 ms. */
const RECORDING = `
  window.tasks = [];
  new PerformanceObserver((entries) => window.tasks.push(...entries.getEntries().map(({ startTime, duration }) => ({ startTime, duration }))))
    .observe({ type: "longtask", buffered: true });`;

const RECORDED = "({ tasks, firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime })";

const tasksShape = z.object({
  firstPaint: z.number(),
  tasks: z.array(z.object({ startTime: z.number(), duration: z.number() })),
});

/** A product with its pictures and form, as on Dawn's product page. */
function productForm(product: Product, withButton: boolean): string {
  const [chosen] = product.variants;
  const scope = {
    product: {
      ...product,
      variants_count: product.variants.length,
      selected_or_first_available_variant: chosen,
    },
  };
  const options = product.variants.map(
    ({ id, title }, index) =>
      `<input type="radio" id="o${id}" name="Option" value="${title}"${index === 0 ? " checked" : ""}><label for="o${id}">${title}</label>`,
  );
  return `<div class="product" style="display:grid;grid-template-columns:2fr 1fr;gap:32px"><div>${picture(product).repeat(4)}</div><div><h2>${product.title}</h2><p>${product.price}</p>
    <variant-selects><fieldset><legend>Option</legend>${options.join("")}</fieldset></variant-selects>
    <form action="/cart/add" method="post"><input type="hidden" name="id" value="${chosen?.id ?? ""}"><button>Add to cart</button></form>
    ${withButton ? blockRenderer("en")("wishlist-button", {}, scope) : ""}</div></div>`;
}

interface MeasuredPage {
  name: string;
  theme: TestTheme;
  cards: number;
  /** the product that the page is about */
  product?: Product;
}

const PAGES: MeasuredPage[] = [
  { name: "Dawn's collection page", theme: dawn, cards: 24 },
  { name: "Dawn's product page", theme: dawn, cards: 4, product: first },
  { name: "Horizon's collection page", theme: horizon, cards: 24 },
];

/** @throws where a part of the extension is missing, which would then be not measured */
async function requireAll(page: Page, { cards, product }: MeasuredPage): Promise<void> {
  const found = {
    hearts: await page.locator(".whl-card").count(),
    links: await page.locator("header .whl-counter").count(),
    count: await page.locator("header [data-wishlist-count]").innerText(),
    buttons: await page.locator("main .product [data-wishlist-button]").count(),
  };
  const wanted = { hearts: cards, links: 1, count: "1", buttons: product ? 1 : 0 };
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`The page has ${JSON.stringify(found)}`);
}

/** Opens a page. @returns milliseconds by which tasks after the first paint exceed 50 ms, until nothing is left to do */
async function blockingTime(browser: Browser, measured: MeasuredPage, withExtension: boolean): Promise<number> {
  if (isEnding()) throw new Error("stopped");
  const { theme, cards, product } = measured;
  const visit = await ThemeVisit.open(browser, theme, 1280, {
    products: MANY.slice(0, cards),
    saved: first ? first.variants.slice(0, 1).map(({ id }) => id) : [],
    script: RECORDING,
    ...(product && { above: productForm(product, withExtension) }),
    ...(!withExtension && { embed: null }),
    async prepare(page) {
      if (!withExtension) await page.route("**/assets/wishlist*", (route) => route.abort());
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DOWN });
    },
  });
  try {
    if (withExtension) await requireAll(visit.page, measured);
    const recorded = await visit.page.evaluate<unknown>(RECORDED);
    const { firstPaint, tasks } = tasksShape.parse(recorded);
    return tasks
      .filter(({ startTime }) => startTime > firstPaint)
      .reduce((sum, { duration }) => sum + duration - 50, 0);
  } finally {
    await visit.leave();
  }
}

/** Measures how long the extension blocks pages of a store while they load: the header link, hearts, product button and counter. */
export async function blocking({ options }: Bench): Promise<Row[]> {
  // The store of the pages runs in this process, and does not start in production.
  provideSettings({ NODE_ENV: "test" });
  const browser = await launchBrowser();
  const rows: Row[] = [];
  try {
    for (const page of PAGES) {
      const added: number[] = [];
      const bare: number[] = [];
      // The first round is a warm-up.
      for (let turn = 0; turn <= options.rounds; turn++) {
        const [without, others] = [await blockingTime(browser, page, false), await blockingTime(browser, page, true)];
        if (turn === 0) continue;
        bare.push(without);
        added.push(others - without);
        say(
          `blocking, ${page.name}, round ${turn} of ${options.rounds}: ${milliseconds(without)} and ${milliseconds(others)}`,
        );
      }
      const [more, before] = [spreadOf(added), spreadOf(bare)];
      rows.push({
        work: `Blocking time added to ${page.name}, CPU four times slower`,
        figure: `${milliseconds(more.median)} (${more.min.toFixed(1)}–${more.max.toFixed(1)})`,
        against: `without the extension ${milliseconds(before.median)} (${before.min.toFixed(1)}–${before.max.toFixed(1)})`,
        ratio: "",
        required: `≤ ${MAX_ADDED} ms`,
        passed: more.median <= MAX_ADDED,
      });
    }
  } finally {
    await browser.close();
  }
  return rows;
}
