import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { ACCENT, HEART, PRODUCT } from "../brand.ts";

export const meta: MetaFunction = () => [
  { title: PRODUCT },
  { name: "description", content: "A wishlist for every customer of a store, over a JSON API." },
];

const STYLE = `
  body { margin: 0; color: #1f2430; font: 16px/1.6 system-ui, "Segoe UI", Roboto, sans-serif; }
  main { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem; }
  h1 { margin: 1rem 0 0; font-size: clamp(1.75rem, 7.5vw, 2.25rem); line-height: 1.2; letter-spacing: -0.02em; }
  p { margin: 0.75rem 0 2rem; color: #5b6472; font-size: 1.1rem; }
  nav { display: flex; flex-wrap: wrap; gap: 0.75rem; }
  nav a { padding: 0.6rem 1.1rem; border: 1px solid #d3d7de; border-radius: 8px; color: inherit; text-decoration: none; }
  nav a:hover { border-color: ${ACCENT}; color: ${ACCENT}; }
  nav a.first { border-color: ${ACCENT}; background: ${ACCENT}; color: #fff; }
  nav a.first:hover { filter: brightness(0.9); }
`;

/** Shopify opens the app at its address, with the shop in the query. */
export function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  if (searchParams.has("shop")) return redirect(`/app?${searchParams}`);
  return null;
}

export default function Index() {
  return (
    <main>
      <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      <svg viewBox="0 0 32 32" width="48" height="48" fill={ACCENT} aria-hidden="true">
        <path d={HEART} />
      </svg>
      <h1>{PRODUCT}</h1>
      <p>A wishlist for every customer of a store, over a JSON API.</p>
      <nav>
        <a className="first" href="/v1/docs">
          API documentation
        </a>
        <a href="/v1/openapi.json">OpenAPI document</a>
      </nav>
    </main>
  );
}
