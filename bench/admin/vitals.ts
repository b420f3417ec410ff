import type { Browser, Frame, Page } from "playwright";
import { z } from "zod";
import { launchBrowser, LIKE_A_PERSON } from "../../tests/support/browser.ts";
import { usePage } from "./presses.ts";

const vitalsShape = z.object({
  lcp: z.number().positive(),
  cls: z.number(),
  /** from a press until the next frame is painted: the slowest press, of fifty or more all but one of fifty */
  inp: z.number(),
  /** which press that was, and what it waited for */
  slowest: z.string(),
  /** what moved the furthest */
  moved: z.string(),
});

/** What a merchant feels of a page, as Shopify's programme measures it: milliseconds, and a share of the screen times a distance. */
export type Vitals = z.infer<typeof vitalsShape>;

const SLOW_DOWN = 4;

/** Notes what the browser tells of its painting, from a page's first moment on: by the definitions of the `web-vitals` package. */
function observe(): void {
  interface Press {
    duration: number;
    what: string;
  }
  const presses = new Map<number, Press>();
  const vitals = { lcp: 0, cls: 0, moved: "nothing" };
  const session = { value: 0, first: 0, last: 0 };
  let furthest = 0;
  let pressed = -Infinity;

  // The browser says of a shift whether it follows a press, but knows of presses in a frame only where that has a process of its own.
  for (const press of ["pointerdown", "keydown"]) {
    addEventListener(press, ({ timeStamp }) => (pressed = timeStamp), { capture: true });
  }
  const on = (type: string, options: object, note: (entry: PerformanceEntry) => void): void => {
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...options });
  };
  const nameOf = (node: unknown): string => {
    const element = node instanceof Element ? node : node instanceof Node ? node.parentElement : null;
    if (!element) return "what is gone since";
    const text = (element.getAttribute("aria-label") ?? element.textContent).trim().replace(/\s+/g, " ").slice(0, 30);
    return `${element.tagName.toLowerCase()} “${text}”`;
  };
  const numberIn = (entry: object, name: string): number => Number(Reflect.get(entry, name) ?? 0);

  on("largest-contentful-paint", {}, (entry) => {
    vitals.lcp = entry.startTime;
  });
  on("layout-shift", {}, (entry) => {
    const { startTime } = entry;
    if (startTime - pressed < 500) return;
    const value = numberIn(entry, "value");
    // Shifts with less than a second between them, for five seconds at most, are one.
    const goesOn = startTime - session.last < 1_000 && startTime - session.first < 5_000;
    if (!goesOn) Object.assign(session, { value: 0, first: startTime });
    session.value += value;
    session.last = startTime;
    vitals.cls = Math.max(vitals.cls, session.value);
    if (value <= furthest) return;
    furthest = value;
    const sources: unknown = Reflect.get(entry, "sources");
    const nodes = Array.isArray(sources) ? sources.map((one: object) => nameOf(Reflect.get(one, "node"))) : [];
    vitals.moved = `${nodes.join(", ")} after ${Math.round(startTime)} ms`;
  });
  on("event", { durationThreshold: 16 }, (entry) => {
    const id = numberIn(entry, "interactionId");
    if (id === 0 || (presses.get(id)?.duration ?? 0) >= entry.duration) return;
    const { name, startTime, duration } = entry;
    const [begun, ended] = [numberIn(entry, "processingStart"), numberIn(entry, "processingEnd")];
    const ms = (from: number, to: number): string => `${Math.max(0, Math.round(to - from))} ms`;
    presses.set(id, {
      duration,
      what:
        `${name} on ${nameOf(Reflect.get(entry, "target"))}: ${ms(startTime, begun)} waiting, ` +
        `${ms(begun, ended)} at work, ${ms(ended, startTime + duration)} until painted`,
    });
  });
  Object.defineProperty(globalThis, "vitals", {
    get() {
      const slowest = [...presses.values()].sort((a, b) => b.duration - a.duration);
      const outliers = Math.floor(Math.max(numberIn(performance, "interactionCount"), slowest.length) / 50);
      const counted = slowest[Math.min(outliers, slowest.length - 1)];
      return { ...vitals, inp: counted?.duration ?? 0, slowest: counted?.what ?? "no press took 16 ms" };
    },
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

/** Opens a page of the app by its address, as a merchant does who comes for the first time, and uses it. */
export async function vitalsOf(browser: Browser, address: string): Promise<Vitals> {
  const context = await browser.newContext(LIKE_A_PERSON);
  try {
    const page = await context.newPage();
    await context.addInitScript(observe);
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DOWN });
    await page.goto(address);
    const frame = await appFrame(page);
    await usePage(page, frame);
    // What was painted is told a moment later.
    const told: unknown = await frame.evaluate(
      () => new Promise((resolve) => setTimeout(() => resolve(Reflect.get(globalThis, "vitals")), 500)),
    );
    return vitalsShape.parse(told);
  } finally {
    await context.close();
  }
}
