import { isRouteErrorResponse, Links, Meta, Outlet, useRouteError } from "@remix-run/react";
import type { ReactNode } from "react";

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <Meta />
        <Links />
      </head>
      <body>{children}</body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary() {
  const error = useRouteError();
  const missing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <main style={{ font: "16px/1.5 system-ui, sans-serif", maxWidth: "36rem", margin: "4rem auto", padding: "0 1rem" }}>
      <h1>{missing ? "There is nothing here" : "Something went wrong"}</h1>
      <p>{missing ? "The address may be mistyped." : "Try again in a moment."}</p>
      <p>
        <a href="/v1/docs">API documentation</a>
      </p>
    </main>
  );
}
