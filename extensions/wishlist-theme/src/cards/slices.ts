import { forgetBoxes } from "./boxes.ts";

/** Milliseconds of work after which the browser gets a turn. */
const SLICE = 6;

/**
 * Does the work of a generator while the browser has nothing better to do, and calls back with what it returns. After a step that gives true, it
 * goes on when the browser has laid out what was changed.
 */
export function inSlices<Result>(work: Iterator<boolean, Result>, done: (result: Result) => void): void {
  idle(() => {
    const end = performance.now() + SLICE;
    forgetBoxes();
    let step = work.next();
    while (!step.done && !step.value && performance.now() < end) step = work.next();
    const goOn = (): void => inSlices(work, done);
    if (step.done) done(step.value);
    // What nobody looks at has no frames.
    else if (step.value && !document.hidden) requestAnimationFrame(goOn);
    else goOn();
  });
}

function idle(callback: () => void): void {
  // Safari has no idle time to give.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(callback, { timeout: 200 });
  else setTimeout(callback);
}
