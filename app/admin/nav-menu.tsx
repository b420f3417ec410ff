import { useNavigate } from "@remix-run/react";
import { createElement, useEffect } from "react";
import type { SAppNavLinkAttributes } from "@shopify/app-bridge-types";
import { SECTIONS } from "./sections.ts";

/** Handles App Bridge's navigation event, which it dispatches for menu links and its own buttons. */
function useAdminNavigation(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: Event): void => {
      const href = event.target instanceof Element ? event.target.getAttribute("href") : null;
      if (href !== null) navigate(href);
    };
    addEventListener("shopify:navigate", follow);
    return () => removeEventListener("shopify:navigate", follow);
  }, [navigate]);
}

/** Renders the app's menu in the sidebar of Shopify's admin. */
export function NavMenu() {
  useAdminNavigation();
  return (
    <s-app-nav>
      {SECTIONS.map(({ path, label }, index) =>
        // App Bridge's types declare the link's attributes, but not the element.
        createElement<SAppNavLinkAttributes & { key: string }>(
          "s-link",
          { key: path, href: path, ...(index === 0 ? { rel: "home" } : {}) },
          label,
        ),
      )}
    </s-app-nav>
  );
}
