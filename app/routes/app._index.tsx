import type { HeadersFunction, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useRouteError } from "@remix-run/react";
import { boundary } from "@shopify/shopify-app-remix/server";
import { authenticate } from "../shopify.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { session } = await authenticate.admin(request);
  return { shop: session.shop };
}

/** What a merchant sees who opens the app. */
export default function Home() {
  const { shop } = useLoaderData<typeof loader>();
  return <p style={{ color: "#5b6472" }}>{shop} is connected.</p>;
}

// Of its own: when Remix asks for this route's data alone, it loses the headers of what is thrown on the way to the parent's boundary,
// and App Bridge does not hear that it should try again.
export function ErrorBoundary() {
  return boundary.error(useRouteError());
}

export const headers: HeadersFunction = (given) => boundary.headers(given);
