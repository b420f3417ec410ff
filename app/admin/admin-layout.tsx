import { Outlet, useLoaderData, useLocation, useNavigation } from "@remix-run/react";
import { useEffect } from "react";
import { rememberNavigation } from "./frame-parameters.ts";
import { NavMenu } from "./nav-menu.tsx";
import { PageSkeleton } from "./page-skeleton.tsx";
import { Polaris } from "./polaris.tsx";
import { ShopTimeZoneProvider } from "./shop-dates.tsx";
import { IsPhoneProvider } from "./use-narrow.ts";
import { useSlowNavigation } from "./use-slow-navigation.ts";

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

/** Shows in the admin's own bar that a page loads. */
function useLoadingBar(): void {
  const isLoading = useNavigation().state === "loading";
  useEffect(() => {
    if (!isLoading) return undefined;
    shopify.loading(true);
    return () => shopify.loading(false);
  }, [isLoading]);
}

/** Returns the path of the page that a slow navigation leads to, unless the shown page stays until it is there. */
function useAwaitedPage(): string | undefined {
  const { pathname } = useLocation();
  const next = useSlowNavigation();
  return next === undefined || keepsPage(pathname, next) ? undefined : next;
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
  useLoadingBar();
  const awaited = useAwaitedPage();
  const { timeZone, isPhone } = useLoaderData<{ timeZone: string; isPhone: boolean }>();
  return (
    <Polaris>
      <NavMenu />
      <ShopTimeZoneProvider value={timeZone}>
        <IsPhoneProvider value={isPhone}>
          {awaited === undefined ? <Outlet /> : <PageSkeleton path={awaited} />}
        </IsPhoneProvider>
      </ShopTimeZoneProvider>
    </Polaris>
  );
}
