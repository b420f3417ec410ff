import type { Page } from "playwright";

/**
 * The smallest layout shift that counts. The header's icons may make room for the wishlist's link on a phone: 44 pixels sideways, which is
 * 0.0012. A button or counter without its place moves everything below it, ten times as far.
 */
const NOTICEABLE = 0.002;

/** What moved on the page since it was opened, as the browser counts layout layoutShifts: how much, and which elements. */
export function layoutShifts(page: Page): Promise<string[]> {
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
