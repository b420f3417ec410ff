import { PageError } from "../admin/error-page.tsx";
import { adminHeaders, adminLoader, notFound } from "../http/admin/admin.server.ts";

/** Whatever is no page of the app's: in its frame, with its menu. */
export const loader = adminLoader(() => {
  throw notFound();
});

export const headers = adminHeaders;

export { PageError as ErrorBoundary, PageError as default };
