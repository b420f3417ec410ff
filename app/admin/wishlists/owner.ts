import type { ListOwner } from "../../wishlists/staff-view.ts";
import { readable } from "../numbers.ts";

/** Characters of an id in a title: Shopify's have 13, other systems' can be long. */
const SHOWN = 40;

/** How a list is called. A guest has no name, so theirs goes by its number. */
export function nameOf(owner: ListOwner, wishlistId: string): string {
  return owner.kind === "customer" ? `Customer ${shortened(owner.customerId)}` : `Guest, list ${wishlistId}`;
}

export function shortened(id: string): string {
  return id.length > SHOWN ? `${id.slice(0, SHOWN)}…` : id;
}

/** A customer's page in Shopify's admin. Ids that the merchant's own systems gave have none. */
export function customerUrl(domain: string, owner: ListOwner): string | undefined {
  return owner.kind === "customer" && /^\d+$/.test(owner.customerId)
    ? `https://${domain}/admin/customers/${owner.customerId}`
    : undefined;
}

export function countOf(items: number): string {
  return items === 1 ? "1 item" : `${readable(items)} items`;
}
