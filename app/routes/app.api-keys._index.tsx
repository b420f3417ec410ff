import { useLoaderData } from "@remix-run/react";
import { listKeys } from "../access/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { KeysPage } from "../admin/keys/keys-page.tsx";
import { adminHeaders, adminLoader, pageNumber } from "../http/admin/loader.server.ts";
import { now } from "../platform/clock.server.ts";

const PAGE_SIZE = 50;

export const loader = adminLoader(async ({ shop, query }) => {
  const page = pageNumber(query);
  const keys = await listKeys(shop.id, { limit: PAGE_SIZE + 1, offset: (page - 1) * PAGE_SIZE });
  return { keys: keys.slice(0, PAGE_SIZE), hasNext: keys.length > PAGE_SIZE, page, at: now() };
});

export default function ApiKeys() {
  return <KeysPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
