import { PRODUCT } from "../brand.ts";
import { PAGE_HEADERS, staticPagePolicy } from "../http/admin/page-headers.server.ts";

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${PRODUCT}</title>
    <style>
      main { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem; color: #1f2430; font: 16px/1.6 system-ui, sans-serif; }
      h1 { margin: 0 0 0.5rem; font-size: 1.75rem; line-height: 1.2; }
      p { color: #5b6472; }
    </style>
  </head>
  <body>
    <main>
      <h1>Open the app from your store</h1>
      <p>Go to your Shopify admin, choose Apps, and open ${PRODUCT} there. That is also where you install it.</p>
    </main>
  </body>
</html>
`;

/**
 * Shopify's library redirects here when a request names no shop. Shopify forbids asking for the shop's domain in a form. The route has no
 * component, because the fast path serves `/auth/*` and knows only resource routes.
 */
export function loader(): Response {
  return new Response(PAGE, {
    headers: { ...PAGE_HEADERS, "Content-Security-Policy": staticPagePolicy({ framed: true }) },
  });
}
