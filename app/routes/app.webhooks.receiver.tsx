import { PageError } from "../admin/error-page.tsx";
import { ReceiverPage } from "../admin/webhooks/receiver-page.tsx";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";

// The page needs no data. Its loader only authenticates.
export const loader = adminLoader(() => null);

export const headers = adminHeaders;

export { PageError as ErrorBoundary, ReceiverPage as default };
