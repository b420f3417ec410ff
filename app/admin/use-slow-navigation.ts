import { useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";

/** A sign of loading before this delay would only flicker, and delay the press that began the navigation. */
const DELAY_MS = 200;

/** Returns the path of a navigation that takes longer than `DELAY_MS`. */
export function useSlowNavigation(): string | undefined {
  const { state, location } = useNavigation();
  const [slow, setSlow] = useState<string>();
  const path = state === "loading" ? location.pathname : undefined;
  useEffect(() => {
    if (path === undefined) return undefined;
    const timer = setTimeout(() => setSlow(path), DELAY_MS);
    return () => {
      clearTimeout(timer);
      setSlow(undefined);
    };
  }, [path]);
  return slow;
}
