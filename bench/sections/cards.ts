import type { Browser } from "playwright";
import { z } from "zod";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { launchBrowser } from "../../tests/support/browser/browser.ts";
import { dawn } from "../../tests/themes/test-themes/dawn.ts";
import { MANY, MORE } from "../../tests/themes/products.ts";
import { ThemeVisit } from "../../tests/themes/visit.ts";
import { isEnding, say } from "../lifetime.ts";
import { spreadOf, type Spread } from "../measure/spread.ts";
import { milliseconds, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";

const FEW = 250;
const MANY_CARDS = 1000;
const MAX = { firstPass: 50, slice: 10, slowChange: 8 };
/** Factor of CPU throttling while changes are measured. */
const SLOW_DOWN = 4;
const CHANGES = 5;

/** Script that measures all browser callbacks of the extension. Nothing else on these pages uses these callbacks. */
const TIMING = `
  window.spent = [];
  const timed = (act) => function (...given) {
    const start = performance.now();
    try { return act.apply(this, given); } finally { window.spent.push(performance.now() - start); }
  };
  const idle = window.requestIdleCallback;
  window.requestIdleCallback = (act, options) => idle.call(window, timed(act), options);
  for (const name of ["MutationObserver", "ResizeObserver"]) {
    window[name] = class extends window[name] { constructor(act) { super(timed(act)); } };
  }`;

interface Round {
  /** milliseconds of the first pass, and of its longest part without a pause */
  firstPass: number;
  slice: number;
  /** milliseconds after a change outside all cards, and after a new card */
  foreign: number;
  added: number;
}

async function recordedTimes({ page }: ThemeVisit): Promise<number[]> {
  return z.array(z.number()).parse(await page.evaluate((): unknown => Reflect.get(window, "spent")));
}

/** Inserts HTML several times. @returns milliseconds that the extension needs per change */
async function costOf(visit: ThemeVisit, html: string, selector: string): Promise<number> {
  const before = (await recordedTimes(visit)).length;
  for (let turn = 0; turn < CHANGES; turn++) {
    await visit.page.evaluate(
      ([to, what]) => document.querySelector(to ?? "")?.insertAdjacentHTML("beforeend", what ?? ""),
      [selector, html],
    );
    await visit.waitUntilIdle();
  }
  return (await recordedTimes(visit)).slice(before).reduce((sum, one) => sum + one, 0) / CHANGES;
}

async function round(browser: Browser, cards: number): Promise<Round> {
  if (isEnding()) throw new Error("stopped");
  const visit = await ThemeVisit.open(browser, dawn, 1280, { products: MANY.slice(0, cards), script: TIMING });
  try {
    const hearts = await visit.page.locator(".whl-card").count();
    if (hearts !== cards) throw new Error(`${hearts} of ${cards} cards have a heart`);
    const slices = await recordedTimes(visit);
    const devtools = await visit.page.context().newCDPSession(visit.page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DOWN });
    const foreign = await costOf(visit, "<p>Thank you</p>", "footer");
    const added = await costOf(visit, dawn.cards(MORE.slice(0, 1)), "[data-t-list]");
    return { firstPass: slices.reduce((sum, one) => sum + one, 0), slice: Math.max(...slices), foreign, added };
  } finally {
    await visit.leave();
  }
}

function range({ median, min, max }: Spread): string {
  return `${milliseconds(median)} (${min.toFixed(1)}–${max.toFixed(1)})`;
}

/** Measures the hearts on a store's page: the first pass over a list of products, and later changes of the page. */
export async function cards({ options }: Bench): Promise<Row[]> {
  // The store of the pages runs in this process, and does not start in production.
  provideSettings({ NODE_ENV: "test" });
  const browser = await launchBrowser();
  const few: Round[] = [];
  const many: Round[] = [];
  try {
    for (let turn = 0; turn <= options.rounds; turn++) {
      const [one, other] = [await round(browser, FEW), await round(browser, MANY_CARDS)];
      // The first round is a warm-up.
      if (turn === 0) continue;
      few.push(one);
      many.push(other);
      say(
        `cards, round ${turn} of ${options.rounds}: ${milliseconds(one.firstPass)} and ${milliseconds(other.firstPass)}`,
      );
    }
  } finally {
    await browser.close();
  }
  const row = (work: string, of: keyof Round, held: Round[], most: number): Row => {
    const [a, b] = [spreadOf(few.map((one) => one[of])), spreadOf(many.map((one) => one[of]))];
    const isFew = held === few;
    return {
      work,
      figure: range(isFew ? a : b),
      against: isFew ? `${MANY_CARDS.toLocaleString("en")} cards ${range(b)}` : `${FEW} cards ${range(a)}`,
      ratio: `${(b.median / a.median).toFixed(2)} ×`,
      required: `≤ ${most} ms`,
      passed: (isFew ? a : b).median <= most,
    };
  };
  return [
    row(`Hearts on ${FEW} cards`, "firstPass", few, MAX.firstPass),
    row("The longest part of it without a pause", "slice", few, MAX.slice),
    row("A change among 1,000 cards, CPU four times slower", "foreign", many, MAX.slowChange),
    row("A card that is added, likewise", "added", many, MAX.slowChange),
  ];
}
