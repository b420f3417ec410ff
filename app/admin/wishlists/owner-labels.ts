import { isContact } from "../../contacts/contact-id.ts";
import type { CustomerName, CustomerNames } from "../../customers/customer-names.ts";
import type { ListName, ListOwner } from "../../wishlists/staff/view.ts";

/** Shopify's ids have 13 characters; those of other systems can be much longer. */
const MAX_ID_LENGTH = 40;

/** Returns a customer's name, if Shopify returned it. */
export function findCustomerName(names: CustomerNames, customerId: string): CustomerName | undefined {
  return names.state === "named" ? names.byId[customerId] : undefined;
}

/** Returns a customer's name, or the id when the name is unknown. */
export function customerTitle(names: CustomerNames, customerId: string): string {
  if (isContact(customerId)) return "Shopper without an account";
  return findCustomerName(names, customerId)?.name ?? `Customer ${truncateId(customerId)}`;
}

/** Returns a wishlist's title. A guest's wishlist is titled by its own id, because the guest id is secret. */
export function wishlistTitle(owner: ListOwner, wishlistId: string, names: CustomerNames): string {
  return owner.kind === "customer" ? customerTitle(names, owner.customerId) : `Guest, list ${wishlistId}`;
}

/** Returns a list's name. The default list has one only if its owner has renamed it. */
export function listLabel({ name, isDefault }: ListName): string {
  return name ?? (isDefault ? "Default list" : "List without a name");
}

function truncateId(id: string): string {
  return id.length > MAX_ID_LENGTH ? `${id.slice(0, MAX_ID_LENGTH)}…` : id;
}

/** Returns the URL of a customer's page in Shopify's admin. Customer ids of other systems have no page there. */
export function customerUrl(customerId: string): string | undefined {
  return /^\d+$/.test(customerId) ? `shopify://admin/customers/${customerId}` : undefined;
}
