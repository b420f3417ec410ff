import { useRouteLoaderData } from "@remix-run/react";

function apiKeyIn(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null || !("apiKey" in data)) return undefined;
  return typeof data.apiKey === "string" ? data.apiKey : undefined;
}

/**
 * Shopify's script, on the pages in its admin. Shopify asks that it comes before every other script, so it stands in the document's head; at
 * its end, where React does not mind what the script adds behind itself.
 */
export function AppBridge() {
  const apiKey = apiKeyIn(useRouteLoaderData("routes/app"));
  if (apiKey === undefined) return null;
  return (
    <>
      <meta name="shopify-api-key" content={apiKey} />
      <script src="https://cdn.shopify.com/shopifycloud/app-bridge.js" />
    </>
  );
}
