import { readRecipients } from "../customers/index.server.ts";
import { run, shopStatement } from "../platform/database/database.server.ts";
import { findShop } from "../shops/index.server.ts";
import { contactAddress, openAddress } from "./addresses.server.ts";
import { isContact } from "./contact-id.ts";

const addressesStatement = shopStatement<{ id: string; address_sealed: string }>(
  "contact_addresses",
  "SELECT id, address_sealed FROM contact WHERE shop_id = $1 AND id = ANY ($2::text[])",
);

const findStatement = shopStatement<{ id: string }>(
  "contact_find",
  "SELECT id FROM contact WHERE shop_id = $1 AND address_hash = ANY ($2::text[])",
);

/** Returns the id of the contact with an address, whether or not it has confirmed a request; undefined for none. @param text as it was typed */
export async function findContact(shopId: number, text: string): Promise<string | undefined> {
  const address = contactAddress(shopId, text);
  if (!address) return undefined;
  const [row] = await run(findStatement, [shopId, address.hashes]);
  return row?.id;
}

/** Returns the address of a contact; undefined for anybody else. */
export async function addressOfContact(shopId: number, id: string): Promise<string | undefined> {
  if (!isContact(id)) return undefined;
  const [row] = await run(addressesStatement, [shopId, [id]]);
  return row && openAddress(row.address_sealed);
}

/**
 * Reads whom messages go to: customers from Shopify, contacts from their rows.
 * @param shop the shop's domain
 * @returns by id; without those that are unknown
 */
export async function readAllRecipients(
  shop: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { name: string; email: string | null }>> {
  const contacts = ids.filter(isContact);
  const customers = ids.filter((id) => !isContact(id));
  const known = contacts.length === 0 ? undefined : await findShop(shop);
  const [ofCustomers, rows] = await Promise.all([
    customers.length === 0 ? new Map<string, never>() : readRecipients(shop, customers),
    known ? run(addressesStatement, [known.id, contacts]) : [],
  ]);
  const ofContacts = rows.map(
    ({ id, address_sealed }) => [id, { name: "", email: openAddress(address_sealed) }] as const,
  );
  return new Map([...ofCustomers, ...ofContacts]);
}
