import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** Milliseconds between two looks at what is about to happen. */
const AGAIN = 1_500;

/** Looks again and again while something on the page is about to change by itself. */
export function useWatch(active: boolean): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!active || state !== "idle") return undefined;
    const timer = setTimeout(() => {
      // What nobody sees can wait.
      if (document.visibilityState === "visible") revalidate();
    }, AGAIN);
    return () => clearTimeout(timer);
  }, [active, revalidate, state]);
}
