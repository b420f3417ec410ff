import { useEffect } from "react";

/** Sets the title of the browser's tab, which screen readers announce. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Larkfell Outdoor`;
  }, [title]);
}
