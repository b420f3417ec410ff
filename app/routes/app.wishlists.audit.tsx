import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { AuditPage } from "../admin/wishlists/audit-page.tsx";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { customerAccessOf } from "../http/admin/session.server.ts";
import { auditQuery, listAudit, staffInAudit, type AuditEntry } from "../audit/index.server.ts";
import { customerNames } from "../customers/index.server.ts";
import { describeProducts } from "../catalog/index.server.ts";

/** Removed items of an entry that the page shows by title. */
const TITLED_ITEMS = 3;

async function titlesIn(shopId: number, entries: readonly AuditEntry[]): Promise<Record<string, string>> {
  const ids = entries.flatMap(({ details }) =>
    (details.items ?? []).slice(0, TITLED_ITEMS).map(({ productId }) => productId),
  );
  if (ids.length === 0) return {};
  const products = await describeProducts(shopId, ids);
  return Object.fromEntries([...products].map(([productId, { title }]) => [productId, title]));
}

export const loader = adminLoader(async (request) => {
  const { shop, staff, query } = request;
  const filters = auditQuery.parse(Object.fromEntries(query));
  const [page, staffMembers] = await Promise.all([listAudit(shop.id, filters), staffInAudit(shop.id)]);
  const customers = [...page.entries.map(({ customerId }) => customerId), filters.customer];
  const [titles, names] = await Promise.all([
    titlesIn(shop.id, page.entries),
    customerNames(
      customerAccessOf(request),
      customers.filter((id) => typeof id === "string"),
    ),
  ]);
  return { ...page, titles, names, staffMembers, currentStaffId: staff.id, filters };
});

export default function AuditList() {
  return <AuditPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
