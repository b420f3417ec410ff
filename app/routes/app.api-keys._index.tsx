import { useLoaderData } from "@remix-run/react";
import { listKeys } from "../access/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { KeysPage } from "../admin/keys/keys-page.tsx";
import { adminHeaders, adminLoader, pageNumber } from "../http/admin/admin.server.ts";
import { now } from "../platform/clock.server.ts";

/** Keys on a page of the list. */
const PAGE = 50;

export const loader = adminLoader(async ({ shop, query }) => {
  const page = pageNumber(query);
  const keys = await listKeys(shop.id, { limit: PAGE + 1, offset: (page - 1) * PAGE });
  return { keys: keys.slice(0, PAGE), hasNext: keys.length > PAGE, page, at: now() };
});

export default function ApiKeys() {
  return <KeysPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
