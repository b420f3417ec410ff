import type { HeadersFunction, LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useRouteError } from "@remix-run/react";
import { boundary } from "@shopify/shopify-app-remix/server";
import { PRODUCT } from "../brand.ts";
import { appKey, authenticate } from "../shopify.server.ts";

// Remix asks for each route's data by itself: every loader beneath this one authenticates, too.
export async function loader({ request }: LoaderFunctionArgs) {
  await authenticate.admin(request);
  return { apiKey: appKey() };
}

/** The frame of the pages in Shopify's admin. */
export default function App() {
  const { apiKey } = useLoaderData<typeof loader>();
  return (
    <>
      <script src="https://cdn.shopify.com/shopifycloud/app-bridge.js" data-api-key={apiKey} />
      <main
        style={{ font: "16px/1.6 system-ui, sans-serif", maxWidth: "34rem", margin: "4rem auto", padding: "0 1.5rem" }}
      >
        <h1 style={{ fontSize: "1.5rem", margin: "0 0 0.5rem" }}>{PRODUCT}</h1>
        <Outlet />
      </main>
    </>
  );
}

// Shopify's library throws responses whose headers the browser needs.
export function ErrorBoundary() {
  return boundary.error(useRouteError());
}

export const headers: HeadersFunction = (given) => boundary.headers(given);
