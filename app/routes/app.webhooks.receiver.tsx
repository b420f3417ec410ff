import { PageError } from "../admin/error-page.tsx";
import { ReceiverPage } from "../admin/webhooks/receiver-page.tsx";
import { adminHeaders, adminLoader } from "../http/admin/admin.server.ts";

// Nothing to load, but nothing to see without a session either.
export const loader = adminLoader(() => null);

export const headers = adminHeaders;

export { PageError as ErrorBoundary, ReceiverPage as default };
