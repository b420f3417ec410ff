import type { Page } from "playwright";

/**
 * A layout shift that rounds to 0 in three decimals is none: on a busy machine a theme itself is at times laid out before its
 * stylesheet is there (0.0001, its menu). A button or counter without its place moves everything below it, ten times as far.
 */
const NOTICEABLE = 0.001;

/** What moved on the page since it was opened, as the browser counts layout shifts: how much, and which elements. */
export function shifts(page: Page): Promise<string[]> {
  return page.evaluate(
    (noticeable) =>
      new Promise<string[]>((resolve) => {
        const found: string[] = [];
        new PerformanceObserver((entries) => {
          for (const entry of entries.getEntries()) {
            if ("value" in entry && Number(entry.value) >= noticeable) found.push(JSON.stringify(entry));
          }
        }).observe({ type: "layout-shift", buffered: true });
        // What was buffered comes with the next task; the second frame is after it.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(found))));
      }),
    NOTICEABLE,
  );
}
