import type { MetaFunction } from "@remix-run/node";

export const meta: MetaFunction = () => [{ title: "Wishlist Headless" }];

export default function Index() {
  return (
    <main style={{ font: "16px/1.5 system-ui, sans-serif", maxWidth: "36rem", margin: "4rem auto", padding: "0 1rem" }}>
      <h1>Wishlist Headless</h1>
      <p>A wishlist for every customer of a store, over a JSON API.</p>
      <ul>
        <li>
          <a href="/v1/docs">API documentation</a>
        </li>
        <li>
          <a href="/v1/openapi.json">OpenAPI document</a>
        </li>
      </ul>
    </main>
  );
}
