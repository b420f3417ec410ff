import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { PrivacyPage } from "../admin/settings/privacy-page.tsx";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { now } from "../platform/clock.server.ts";
import { listRequests } from "../privacy/index.server.ts";

const PAGE_SIZE = 50;

export const loader = adminLoader(async ({ shop, query }) => {
  const after = query.get("after") ?? undefined;
  return { ...(await listRequests(shop.id, { after, limit: PAGE_SIZE })), isFirst: after === undefined, at: now() };
});

export default function PrivacyRequests() {
  return <PrivacyPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
