import { run, statement } from "../../platform/database/database.server.ts";
import { Failure } from "../../platform/failure.ts";
import {
  customerNames,
  searchCustomers,
  type CustomerAccess,
  type StoreCustomer,
} from "../../customers/index.server.ts";
import { DEFAULT_LIST } from "../owner.ts";
import type { FoundCustomer, Found } from "./view.ts";
import { findList } from "./read.server.ts";

const listsStatement = statement<{ owner_id: string; id: number; items: number; lists: number }>(
  "wishlists_of_customers",
  `SELECT owner_id, min(id) FILTER (WHERE handle = '${DEFAULT_LIST}') AS id, sum(item_count)::integer AS items, count(*)::integer AS lists FROM wishlist
    WHERE shop_id = $1 AND owner_kind = 'customer' AND owner_id = ANY($2::text[]) AND deleted_at IS NULL GROUP BY owner_id`,
);

/** Returns customers with their wishlists. Customers with a wishlist come first. */
export async function customersWithLists(
  shopId: number,
  customers: readonly StoreCustomer[],
): Promise<FoundCustomer[]> {
  const rows = await run(listsStatement, [shopId, customers.map(({ customerId }) => customerId)]);
  const lists = new Map(rows.map(({ owner_id, ...list }) => [owner_id, list]));
  const found = customers.map((customer) => {
    const list = lists.get(customer.customerId);
    return { ...customer, list: list && { wishlistId: String(list.id), itemCount: list.items, lists: list.lists } };
  });
  return [...found.filter(({ list }) => list), ...found.filter(({ list }) => !list)];
}

const NO_LIST = "No wishlist is saved for this ID.";

/** Numbers are looked up as ids only, because they are not names. */
const isNumber = (text: string): boolean => /^\d+$/.test(text);

/**
 * Finds a wishlist by a customer's or guest's id, or customers by their names and email addresses when the shop lets the app read them.
 * @param query.id the text as an id; undefined for a text that can't be an id
 */
export async function search(
  shopId: number,
  access: CustomerAccess,
  { id, text }: { id: string | undefined; text: string },
): Promise<Found | Failure> {
  const wishlistId = id === undefined ? undefined : await findList(shopId, id);
  if (wishlistId !== undefined) return { wishlistId };
  if (id !== undefined && isNumber(id)) {
    const names = await customerNames(access, [id]);
    const name = names.state === "named" ? names.byId[id] : undefined;
    if (!name) return new Failure("not_found", NO_LIST);
    return { customers: await customersWithLists(shopId, [{ customerId: id, ...name }]), more: false };
  }
  const found = await searchCustomers(access, text);
  if (!("state" in found)) {
    if (found.customers.length === 0) return new Failure("not_found", "No customers match this search.");
    return { customers: await customersWithLists(shopId, found.customers), more: found.more };
  }
  if (found.state !== "unavailable") {
    const message = id === undefined ? "Customers can be found by ID only." : NO_LIST;
    const button = found.state === "hidden" ? "Show customer names" : "Allow access to customers";
    return new Failure("not_found", `${message} To search by name or email, select ${button}.`);
  }
  return new Failure(
    "service_unavailable",
    "Shopify didn't respond, so customers can't be searched by name. Try again in a moment, or enter a customer ID.",
  );
}
