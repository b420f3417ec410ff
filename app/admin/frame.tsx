import { Outlet, useLoaderData, useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { rememberNavigation } from "./frame-address.ts";
import { NavMenu } from "./nav-menu.tsx";
import { PageSkeleton } from "./page-skeleton.tsx";
import { Polaris } from "./polaris.tsx";
import { ShopTimeZoneProvider } from "./shop-time.tsx";

/** Milliseconds that the page before stays: what comes sooner needs no skeleton, which would only flicker. */
const PATIENCE = 200;

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

/** A navigation that a reload interrupts is resumed. */
function useRememberedNavigation(): void {
  const { state, location } = useNavigation();
  const to = state === "loading" ? location.pathname + location.search + location.hash : undefined;
  useEffect(() => rememberNavigation(to), [to]);
}

/** What is around every page: the menu, Polaris, and a skeleton while the next page is on its way. */
export function Frame() {
  useTopOfPage();
  useRememberedNavigation();
  const slow = useSlowNavigation();
  const { timeZone } = useLoaderData<{ timeZone: string }>();
  return (
    <Polaris>
      <NavMenu />
      <ShopTimeZoneProvider value={timeZone}>{slow ? <PageSkeleton /> : <Outlet />}</ShopTimeZoneProvider>
    </Polaris>
  );
}
