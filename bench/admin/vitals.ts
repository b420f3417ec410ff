import type { Browser, Frame, Page } from "playwright";
import { z } from "zod";
import { launchBrowser, LIKE_A_PERSON } from "../../tests/support/browser/browser.ts";
import { Traffic } from "../../tests/support/browser/traffic.ts";
import { usePage } from "./interactions.ts";

const vitalsShape = z.object({
  lcp: z.number().positive(),
  cls: z.number(),
  /** from a press until the next frame is painted: the slowest press, ignoring one of every fifty */
  inp: z.number(),
  /** describes the slowest press and its phases */
  slowest: z.string(),
  /** describes the elements of the largest layout shift */
  moved: z.string(),
});

/** Web vitals of a page as in Shopify's "Built for Shopify": LCP and INP in milliseconds, CLS without a unit. */
export type Vitals = z.infer<typeof vitalsShape>;

const SLOW_DOWN = 4;

/** Records the browser's performance entries from the start of a page, by the definitions of the `web-vitals` package. */
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

  // `hadRecentInput` of a layout shift misses presses in frames that share the process of the page, so presses are tracked here.
  for (const press of ["pointerdown", "keydown"]) {
    addEventListener(press, ({ timeStamp }) => (pressed = timeStamp), { capture: true });
  }
  const on = (type: string, options: object, handle: (entry: PerformanceEntry) => void): void => {
    new PerformanceObserver((list) => list.getEntries().forEach(handle)).observe({ type, buffered: true, ...options });
  };
  const nameOf = (node: unknown): string => {
    const element = node instanceof Element ? node : node instanceof Node ? node.parentElement : null;
    if (!element) return "a removed element";
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
    // Shifts less than a second apart, for at most five seconds, form one session.
    const isSameSession = startTime - session.last < 1_000 && startTime - session.first < 5_000;
    if (!isSameSession) Object.assign(session, { value: 0, first: startTime });
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
        `${ms(begun, ended)} processing, ${ms(ended, startTime + duration)} until painted`,
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

/** Starts a browser that runs the app's frame in the process of the admin page, so that CPU throttling slows down both. */
export function openBrowser(hostResolverRules: string): Promise<Browser> {
  return launchBrowser({
    hostResolverRules,
    args: ["--disable-site-isolation-trials", "--disable-features=IsolateOrigins,site-per-process"],
  });
}

async function appFrame(page: Page): Promise<Frame> {
  const element = await page.waitForSelector("#app-frame");
  const frame = await element.contentFrame();
  if (!frame) throw new Error("the admin has no app frame");
  await frame.waitForSelector("main");
  return frame;
}

/** Opens a page of the app in a new browser context, interacts with it and measures its vitals. */
export async function vitalsOf(browser: Browser, address: string): Promise<Vitals> {
  const context = await browser.newContext(LIKE_A_PERSON);
  try {
    const traffic = new Traffic(context);
    const page = await context.newPage();
    await context.addInitScript(observe);
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DOWN });
    await page.goto(address);
    const frame = await appFrame(page);
    await traffic.quiet(frame);
    await usePage({ page, frame, traffic });
    // Performance entries arrive shortly after painting.
    const result: unknown = await frame.evaluate(
      () => new Promise((resolve) => setTimeout(() => resolve(Reflect.get(globalThis, "vitals")), 500)),
    );
    return vitalsShape.parse(result);
  } finally {
    await context.close();
  }
}
