import { useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { SECTIONS } from "./sections.ts";

/** App Bridge requests a page by this event, for a link of the menu or one of its own buttons. */
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

/** The app's menu in the sidebar of Shopify's admin. */
export function NavMenu() {
  useAdminNavigation();
  return (
    <ui-nav-menu>
      {SECTIONS.map(({ path, label }, place) => (
        <a key={path} href={path} {...(place === 0 ? { rel: "home" } : {})}>
          {label}
        </a>
      ))}
    </ui-nav-menu>
  );
}
