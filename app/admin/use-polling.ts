import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** Reloads the page's data at an interval while `active`, and when staff return to the tab. Hidden tabs do not poll. */
export function usePolling(active: boolean, intervalMs: number): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!active || state !== "idle") return undefined;
    const reload = (): void => {
      if (document.visibilityState === "visible") revalidate();
    };
    const timer = setInterval(reload, intervalMs);
    document.addEventListener("visibilitychange", reload);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", reload);
    };
  }, [active, intervalMs, revalidate, state]);
}
