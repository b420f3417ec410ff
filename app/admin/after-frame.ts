import { startTransition, useEffect, useState } from "react";

/**
 * What is true a frame later than `value`, and false at once. For what takes a while to draw: the press that asks for it is answered first.
 * (React's own deferral may come before the frame, which then waits for both.)
 */
export function useAfterFrame(value: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      // By then the frame has been drawn.
      timer = setTimeout(() => startTransition(() => setLate(value)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [value]);
  return value && late;
}
