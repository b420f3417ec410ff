import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { AuditListPage } from "../admin/wishlists/audit-page.tsx";
import { adminHeaders, adminLoader, customersOf } from "../http/admin/admin.server.ts";
import { auditQuery, listAudit, staffInAudit, type AuditEntry } from "../audit/index.server.ts";
import { customerNames } from "../customers/index.server.ts";
import { describeProducts } from "../catalog/index.server.ts";

/** Removed items of an entry that are called by their names. */
const NAMED = 3;

async function titlesIn(shopId: number, entries: readonly AuditEntry[]): Promise<Record<string, string>> {
  const ids = entries.flatMap(({ details }) => (details.items ?? []).slice(0, NAMED).map(({ productId }) => productId));
  if (ids.length === 0) return {};
  const products = await describeProducts(shopId, ids);
  return Object.fromEntries([...products].map(([productId, { title }]) => [productId, title]));
}

export const loader = adminLoader(async (visit) => {
  const { shop, staff, query } = visit;
  const asked = auditQuery.parse(Object.fromEntries(query));
  const [page, people] = await Promise.all([listAudit(shop.id, asked), staffInAudit(shop.id)]);
  const customers = [...page.entries.map(({ customerId }) => customerId), asked.customer];
  const [titles, names] = await Promise.all([
    titlesIn(shop.id, page.entries),
    customerNames(
      customersOf(visit),
      customers.filter((id) => typeof id === "string"),
    ),
  ]);
  return { ...page, titles, names, people, you: staff.id, asked };
});

export default function AuditList() {
  return <AuditListPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
