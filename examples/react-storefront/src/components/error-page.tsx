import type { ReactElement } from "react";
import { isRouteErrorResponse, Link, useRouteError } from "react-router";
import { isWishlistError } from "@wishlist-headless/sdk";
import { messageOf } from "../error-messages.ts";
import { usePageTitle } from "../page-title.ts";
import { Empty } from "./empty.tsx";

/** Takes the place of a page that can't be shown. */
export function ErrorPage(): ReactElement {
  const error = useRouteError();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  const title = isMissing ? "Page not found" : "This page can't be shown";
  usePageTitle(title);
  return (
    <Empty title={title} action={<Link to="/">See all products</Link>}>
      {isMissing ? "It was moved or deleted." : isWishlistError(error) ? messageOf(error) : explain(error)}
    </Empty>
  );
}

function explain(error: unknown): string {
  // A failed `fetch` is a TypeError.
  if (error instanceof TypeError) return "The store can't be reached. Check your connection and reload the page.";
  return error instanceof Error ? error.message : "Reload the page.";
}
