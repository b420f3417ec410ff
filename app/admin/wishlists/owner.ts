import type { CustomerName, CustomerNames } from "../../customers/customer-names.ts";
import type { ListOwner } from "../../wishlists/staff-view.ts";
import { readable } from "../numbers.ts";

/** Characters of an id in a title: Shopify's have 13, other systems' can be long. */
const SHOWN = 40;

/** The name of a customer, as far as Shopify tells it. */
export function nameIn(names: CustomerNames, customerId: string): CustomerName | undefined {
  return names.state === "named" ? names.byId[customerId] : undefined;
}

/** A customer's name, or the id where there is none. */
export function customerTitle(names: CustomerNames, customerId: string): string {
  return nameIn(names, customerId)?.name ?? `Customer ${shortened(customerId)}`;
}

/** The title of a list. A guest has no name, so theirs goes by its number. */
export function nameOf(owner: ListOwner, wishlistId: string, names: CustomerNames): string {
  return owner.kind === "customer" ? customerTitle(names, owner.customerId) : `Guest, list ${wishlistId}`;
}

function shortened(id: string): string {
  return id.length > SHOWN ? `${id.slice(0, SHOWN)}…` : id;
}

/** A customer's page in Shopify's admin. Ids that the merchant's own systems gave have none. */
export function customerUrl(customerId: string): string | undefined {
  return /^\d+$/.test(customerId) ? `shopify://admin/customers/${customerId}` : undefined;
}

export function countOf(items: number): string {
  return items === 1 ? "1 item" : `${readable(items)} items`;
}
