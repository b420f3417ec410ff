import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { WebhooksPage } from "../admin/webhooks/webhooks-page.tsx";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { now } from "../platform/clock.server.ts";
import { readWebhooks } from "../webhooks/index.server.ts";

export const loader = adminLoader(({ shop }) => readWebhooks(shop.id, now()));

export default function Webhooks() {
  return <WebhooksPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
