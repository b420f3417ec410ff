import { useRouteLoaderData } from "@remix-run/react";

function apiKeyIn(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null || !("apiKey" in data)) return undefined;
  return typeof data.apiKey === "string" ? data.apiKey : undefined;
}

/**
 * Loads Shopify's App Bridge on admin pages. Shopify requires it before every other script, so it is in the document's head; at the end of
 * the head, because React's hydration tolerates elements that the script appends there.
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
