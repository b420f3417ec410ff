import { clearBoxes } from "./boxes.ts";

/** Milliseconds of work after which the browser may do its own. */
const SLICE = 6;

/**
 * Runs a generator in the browser's idle time, and calls back with its return value. After a step that yields true it continues when the
 * browser has laid out the changes.
 */
export function inSlices<Result>(work: Iterator<boolean, Result>, done: (result: Result) => void): void {
  idle(() => {
    const end = performance.now() + SLICE;
    clearBoxes();
    let step = work.next();
    while (!step.done && !step.value && performance.now() < end) step = work.next();
    const goOn = (): void => inSlices(work, done);
    if (step.done) done(step.value);
    // A hidden page has no animation frames.
    else if (step.value && !document.hidden) requestAnimationFrame(goOn);
    else goOn();
  });
}

function idle(callback: () => void): void {
  // Safari has no requestIdleCallback.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(callback, { timeout: 200 });
  else setTimeout(callback);
}
