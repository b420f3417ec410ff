import { PageError } from "../admin/error-page.tsx";
import { adminHeaders, adminLoader, notFound } from "../http/admin/loader.server.ts";

/** Catches unknown paths, so that the error page appears inside the admin with the app's menu. */
export const loader = adminLoader(() => {
  throw notFound();
});

export const headers = adminHeaders;

export { PageError as ErrorBoundary, PageError as default };
