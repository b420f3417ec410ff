import type { Page } from "playwright";

/**
 * The smallest layout shift that is reported. On a phone the header's icons may move 44 pixels sideways for the wishlist
 * link, which is 0.0012. A button or counter without reserved space causes ten times as much.
 */
const NOTICEABLE = 0.002;

/** Returns the layout shifts of the page since it was opened, with their size and elements. */
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
        // Buffered entries arrive with the next task, and the second frame follows it.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(found))));
      }),
    NOTICEABLE,
  );
}
