import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** Reloads the page's data at an interval while `active`. Hidden tabs do not poll. */
export function usePolling(active: boolean, intervalMs: number): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!active || state !== "idle") return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") revalidate();
    }, intervalMs);
    return () => clearInterval(timer);
  }, [active, intervalMs, revalidate, state]);
}
