import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { PrivacyPage } from "../admin/settings/privacy-page.tsx";
import { adminHeaders, adminLoader } from "../http/admin/admin.server.ts";
import { now } from "../platform/clock.server.ts";
import { listRequests } from "../privacy/index.server.ts";

/** Requests on a page of the list. */
const PAGE = 50;

export const loader = adminLoader(async ({ shop, query }) => {
  const after = query.get("after") ?? undefined;
  return { ...(await listRequests(shop.id, { after, limit: PAGE })), isFirst: after === undefined, at: now() };
});

/** Privacy requests that customers have made through Shopify. */
export default function PrivacyRequests() {
  return <PrivacyPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
