import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Locator } from "playwright";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

// The minified build, because the whole script is sent to the page.
const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Waits until all finite animations have ended: text that is fading in has too little contrast. */
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
 * Returns axe's violations inside these elements, by rule. Runs in the elements' own frame and loads axe once per
 * document; `@axe-core/playwright` loads it into every frame and a separate tab for each analysis, which takes ten times
 * as long.
 */
export async function violations(places: Locator): Promise<string[]> {
  await rest(places);
  const loaded = await places.evaluateAll(() => "axe" in window);
  if (!loaded) await places.evaluateAll(SOURCE);
  return places.evaluateAll(async (elements) => {
    const found = await window.axe.run(elements, { resultTypes: ["violations"], iframes: false });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
}
