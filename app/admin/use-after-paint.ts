import { startTransition, useEffect, useState } from "react";

/**
 * Returns `value`, but turns true only after the next paint, so that the browser shows a click's effect before expensive content renders.
 * (React's `useDeferredValue` may run before the paint.)
 */
export function useAfterPaint(value: boolean): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      // The frame has been painted when the timer fires.
      timer = setTimeout(() => startTransition(() => setPainted(value)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [value]);
  return value && painted;
}
