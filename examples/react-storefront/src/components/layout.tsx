import { useLists } from "@wishlist-headless/react";
import { useEffect, useRef, type ReactElement } from "react";
import { Form, Link, Outlet, ScrollRestoration, useLocation, useNavigation, useSearchParams } from "react-router";
import { logIn, logOut, useOwner } from "../session.ts";
import { NoticeBar } from "./notice-bar.tsx";

/** What all pages have around them. */
export function Layout(): ReactElement {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  const isLoading = useNavigation().state === "loading";

  // Keyboards and screen readers continue at the new page's content.
  useEffect(() => {
    if (shown.current !== pathname) main.current?.focus({ preventScroll: true });
    shown.current = pathname;
  }, [pathname]);

  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="header">
        <Link className="brand" to="/">
          Larkfell Outdoor
        </Link>
        <Search />
        <nav aria-label="Your account">
          <WishlistLink />
          <LoginButton />
        </nav>
        {isLoading && <div className="progress" role="progressbar" aria-label="Loading" />}
      </header>
      <main id="content" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
      <NoticeBar />
      <ScrollRestoration />
    </>
  );
}

function Search(): ReactElement {
  const [parameters] = useSearchParams();
  const search = parameters.get("q") ?? "";
  return (
    <Form role="search" action="/" className="search">
      <input
        key={search}
        type="search"
        name="q"
        defaultValue={search}
        aria-label="Search products"
        placeholder="Search"
      />
    </Form>
  );
}

function WishlistLink(): ReactElement {
  const { savedCount } = useLists();
  return (
    <Link to="/wishlist" className="wishlist-link">
      <span className="wide">Wishlist</span>
      <span className="narrow" aria-hidden>
        ♥
      </span>{" "}
      <span className="badge">{savedCount}</span> <span className="visually-hidden">saved</span>
    </Link>
  );
}

function LoginButton(): ReactElement {
  return useOwner() === "customer" ? (
    <button className="plain login" onClick={() => void logOut()}>
      Log out
    </button>
  ) : (
    <button className="plain login" onClick={() => void logIn()}>
      Log in
    </button>
  );
}
