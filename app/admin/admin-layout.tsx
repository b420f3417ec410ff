import { Outlet, useLoaderData, useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { rememberNavigation } from "./frame-parameters.ts";
import { NavMenu } from "./nav-menu.tsx";
import { PageSkeleton } from "./page-skeleton.tsx";
import { Polaris } from "./polaris.tsx";
import { ShopTimeZoneProvider } from "./shop-dates.tsx";
import { IsPhoneProvider } from "./use-narrow.ts";

/** A skeleton before this delay would only flicker. */
const SKELETON_DELAY_MS = 200;

/** A wishlist's page. It stays until another wishlist is there, because a skeleton would discard the items collected for a draft order. */
const WISHLIST_PAGE = /^\/app\/wishlists\/\d+$/;

function keepsPage(from: string, to: string): boolean {
  return from === to || (WISHLIST_PAGE.test(from) && WISHLIST_PAGE.test(to));
}

/** Scrolls each new page to the top. (Remix's `ScrollRestoration` needs storage, which browsers may deny to an iframe of another site.) */
function useScrollToTop(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [pathname]);
}

/** Returns the path of a navigation that takes longer than `SKELETON_DELAY_MS`. */
function useSlowNavigation(): string | undefined {
  const { state, location } = useNavigation();
  const [slow, setSlow] = useState<string>();
  const nextPath = state === "loading" ? location.pathname : undefined;
  useEffect(() => {
    if (nextPath === undefined) return undefined;
    shopify.loading(true);
    const timer = setTimeout(
      () => setSlow(keepsPage(window.location.pathname, nextPath) ? undefined : nextPath),
      SKELETON_DELAY_MS,
    );
    return () => {
      clearTimeout(timer);
      shopify.loading(false);
      setSlow(undefined);
    };
  }, [nextPath]);
  return slow;
}

/** Lets the page resume a navigation after a reload that interrupted it. */
function useNavigationRecovery(): void {
  const { state, location } = useNavigation();
  const to = state === "loading" ? location.pathname + location.search + location.hash : undefined;
  useEffect(() => rememberNavigation(to), [to]);
}

/** Wraps every page with the menu and Polaris, and shows a skeleton during slow navigations. */
export function AdminLayout() {
  useScrollToTop();
  useNavigationRecovery();
  const slow = useSlowNavigation();
  const { timeZone, isPhone } = useLoaderData<{ timeZone: string; isPhone: boolean }>();
  return (
    <Polaris>
      <NavMenu />
      <ShopTimeZoneProvider value={timeZone}>
        <IsPhoneProvider value={isPhone}>
          {slow === undefined ? <Outlet /> : <PageSkeleton path={slow} />}
        </IsPhoneProvider>
      </ShopTimeZoneProvider>
    </Polaris>
  );
}
