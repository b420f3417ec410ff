import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { Banner, Card } from "@shopify/polaris";
import { AdminPage } from "./admin-page.tsx";
import { NavMenu } from "./nav-menu.tsx";
import { Polaris } from "./polaris.tsx";
import { EmptyList } from "./empty-list.tsx";

function NotFoundPage() {
  return (
    <AdminPage title="Page not found">
      <Card>
        <EmptyList
          glyph="search"
          heading="There's no page at this address"
          action={{ content: "Go to Home", url: "/app" }}
        >
          <p>The item may have been deleted, or the link may be wrong.</p>
        </EmptyList>
      </Card>
    </AdminPage>
  );
}

function FailedPage({ sessionEnded: ended }: { sessionEnded: boolean }) {
  return (
    <AdminPage title={ended ? "Your session has ended" : "Something went wrong"}>
      <Banner
        tone={ended ? "warning" : "critical"}
        title={ended ? "Your session has ended" : "This page couldn't be loaded"}
        action={{ content: ended ? "Open the app again" : "Try again", onAction: () => window.location.reload() }}
      >
        <p>{ended ? "Open the app again to continue." : "Your data hasn't changed. Try again in a moment."}</p>
      </Banner>
    </AdminPage>
  );
}

/**
 * The `ErrorBoundary` of every page. Each route needs its own: when an error bubbles to a parent's boundary, Remix drops the headers of the
 * thrown response, and App Bridge needs them to retry with a new session token.
 */
export function PageError() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error)) return <FailedPage sessionEnded={false} />;
  if (error.status === 404) return <NotFoundPage />;
  return <FailedPage sessionEnded={error.status === 401} />;
}

/** The `ErrorBoundary` of the layout: adds the menu that the layout would have rendered. */
export function AdminLayoutError() {
  return (
    <Polaris>
      <NavMenu />
      <PageError />
    </Polaris>
  );
}
