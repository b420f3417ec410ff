import { prisma } from "../platform/database/database.server.ts";
import { includesScope, OPTIONAL_SCOPES, readScopes } from "../shopify-sessions/index.server.ts";
import { customerNames } from "./customers.server.ts";

/** Customers per query. */
const PER_QUERY = 100;

/**
 * Reads the names and email addresses of customers for messages to them. Whether the admin hides names does not matter here.
 * @param shop the shop's domain
 * @returns by customer id; empty unless the shop has granted `read_customers` and Shopify responds in time
 */
export async function readRecipients(
  shop: string,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, { name: string; email: string | null }>> {
  const scopes = await readScopes(prisma(), shop);
  if (!scopes || !includesScope(scopes, OPTIONAL_SCOPES.customers)) return new Map();
  const chunks = Array.from({ length: Math.ceil(customerIds.length / PER_QUERY) }, (_, index) =>
    customerIds.slice(index * PER_QUERY, (index + 1) * PER_QUERY),
  );
  const access = { shop, isPermitted: true, isShown: true };
  const found = await Promise.all(chunks.map((ids) => customerNames(access, ids)));
  const names = found.flatMap((part) => (part.state === "named" ? Object.entries(part.byId) : []));
  return new Map(
    names.map(([id, { name, email }]) => [id, { name, email: email ?? (name.includes("@") ? name : null) }]),
  );
}
