import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, useMatches, useRouteError } from "@remix-run/react";
import { useContext, type ReactNode } from "react";
import { AppBridge } from "./admin/app-bridge.tsx";
import { ICON } from "./brand.ts";
import { NonceContext } from "./nonce.ts";

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(NonceContext);
  // Pages outside the admin run no scripts.
  const isAdmin = useMatches().some(({ id }) => id === "routes/app");
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href={ICON} />
        <Meta />
        <Links />
        <AppBridge />
      </head>
      <body>
        {children}
        {isAdmin && <Scripts nonce={nonce} />}
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary() {
  const error = useRouteError();
  const isNotFound = isRouteErrorResponse(error) && error.status === 404;
  const title = isNotFound ? "Page not found" : "Something went wrong";
  return (
    <main
      style={{ font: "16px/1.6 system-ui, sans-serif", maxWidth: "34rem", margin: "18vh auto 0", padding: "0 1.5rem" }}
    >
      <title>{title}</title>
      <h1 style={{ fontSize: "1.75rem", margin: "0 0 0.5rem" }}>{title}</h1>
      <p style={{ color: "#5b6472" }}>
        {isNotFound ? "Check the address for typing errors." : "Try again in a moment."}
      </p>
      <p>
        <a href="/">Start page</a> · <a href="/v1/docs">API documentation</a>
      </p>
    </main>
  );
}
