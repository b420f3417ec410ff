import { useNavigate } from "@remix-run/react";
import { useEffect } from "react";
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
    <ui-nav-menu>
      {SECTIONS.map(({ path, label }, index) => (
        <a key={path} href={path} {...(index === 0 ? { rel: "home" } : {})}>
          {label}
        </a>
      ))}
    </ui-nav-menu>
  );
}
