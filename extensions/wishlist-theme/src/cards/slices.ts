/** Milliseconds of work after which the browser gets a turn. */
const SLICE = 6;

/** Does the work of a generator while the browser has nothing better to do, and calls back with what it returns. */
export function inSlices<Result>(work: Iterator<unknown, Result>, done: (result: Result) => void): void {
  idle(() => {
    const end = performance.now() + SLICE;
    let step = work.next();
    while (!step.done && performance.now() < end) step = work.next();
    if (step.done) done(step.value);
    else inSlices(work, done);
  });
}

function idle(callback: () => void): void {
  // Safari has no idle time to give.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(callback, { timeout: 200 });
  else setTimeout(callback);
}
