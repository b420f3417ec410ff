import { Outlet, useLoaderData, useLocation, useNavigate, useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { PageSkeleton } from "./page-skeleton.tsx";
import { Polaris } from "./polaris.tsx";
import { SECTIONS } from "./sections.ts";
import { ShopTimeZoneProvider } from "./shop-time.tsx";

/** Milliseconds that the page before stays: what comes sooner needs no skeleton, which would only flicker. */
const PATIENCE = 200;

/** The admin's menu and App Bridge's own buttons ask for a page by this event. */
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

/** A new page begins at its top. (Remix's own component needs storage, which browsers deny to a frame of another site.) */
function useTopOfPage(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [pathname]);
}

/** Is another page being fetched, for so long that the merchant should see it? */
function useSlowNavigation(): boolean {
  const { state, location } = useNavigation();
  const [slow, setSlow] = useState(false);
  const coming = state === "loading" ? location.pathname : undefined;
  useEffect(() => {
    if (coming === undefined) return undefined;
    shopify.loading(true);
    const timer = setTimeout(() => setSlow(coming !== window.location.pathname), PATIENCE);
    return () => {
      clearTimeout(timer);
      shopify.loading(false);
      setSlow(false);
    };
  }, [coming]);
  return slow;
}

/** What is around every page: the menu, Polaris, and a skeleton while the next page is on its way. */
export function Frame() {
  useAdminNavigation();
  useTopOfPage();
  const slow = useSlowNavigation();
  const { timeZone } = useLoaderData<{ timeZone: string }>();
  return (
    <Polaris>
      <ui-nav-menu>
        {SECTIONS.map(({ path, label }, place) => (
          <a key={path} href={path} {...(place === 0 ? { rel: "home" } : {})}>
            {label}
          </a>
        ))}
      </ui-nav-menu>
      <ShopTimeZoneProvider value={timeZone}>{slow ? <PageSkeleton /> : <Outlet />}</ShopTimeZoneProvider>
    </Polaris>
  );
}
