import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Locator } from "playwright";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

// As its makers shrink it, for all of it is sent to the page.
const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Waits until nothing moves in a document any more, but for what moves for ever: half faded in, a text has too little contrast. */
async function rest(places: Locator): Promise<void> {
  await places.evaluateAll(async () => {
    for (;;) {
      const moving = document
        .getAnimations()
        .filter(({ playState, effect }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity);
      if (moving.length === 0) break;
      await Promise.allSettled(moving.map(({ finished }) => finished));
    }
  });
}

/**
 * What axe finds wrong inside these elements, each of its rules with the elements that break it. It runs in the elements' own frame, once
 * loaded into a document: `@axe-core/playwright` sends it to all frames and to a tab of its own each time, which costs ten analyses.
 */
export async function violations(places: Locator): Promise<string[]> {
  await rest(places);
  const loaded = await places.evaluateAll(() => "axe" in window);
  if (!loaded) await places.evaluateAll(SOURCE);
  return places.evaluateAll(async (elements) => {
    const found = await window.axe.run(elements, { resultTypes: ["violations"] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
}
