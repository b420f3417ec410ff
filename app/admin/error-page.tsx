import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { Banner, Card, EmptyState } from "@shopify/polaris";
import { AdminPage } from "./admin-page.tsx";
import { NavMenu } from "./nav-menu.tsx";
import { Polaris } from "./polaris.tsx";

/** Replaces a page that does not exist. */
function NotFoundPage() {
  return (
    <AdminPage title="Page not found">
      <Card>
        <EmptyState heading="There's no page at this address" image="" action={{ content: "Go to Home", url: "/app" }}>
          <p>The item may have been deleted, or the link may be wrong.</p>
        </EmptyState>
      </Card>
    </AdminPage>
  );
}

function FailedPage({ ended }: { ended: boolean }) {
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
 * Every page's `ErrorBoundary`. Each page has one of its own: when Remix asks for one route's data alone, it loses the headers of what is thrown
 * on the way to a parent's boundary, and App Bridge does not hear that it should try again.
 */
export function PageError() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error)) return <FailedPage ended={false} />;
  if (error.status === 404) return <NotFoundPage />;
  return <FailedPage ended={error.status === 401} />;
}

/** The same in the place of the frame, with the menu that the frame would have. */
export function FrameError() {
  return (
    <Polaris>
      <NavMenu />
      <PageError />
    </Polaris>
  );
}
