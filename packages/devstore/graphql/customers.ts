import type { StoreCustomer } from "../store/customers.ts";
import type { Store } from "../store/store.ts";
import { connection, type PageArguments } from "./connections.ts";
import { gid, parseGid } from "../foundation/gid.ts";
import { requireScope, type Caller } from "./problems.ts";
import { search, type SearchFields } from "./search.ts";

const OPENED = "2026-01-05T09:00:00.000Z";

const fields: SearchFields<StoreCustomer> = {
  text: ({ firstName, lastName, email }) => `${firstName} ${lastName} ${email}`,
  id: ({ id }) => Number(id),
  email: ({ email }) => email,
  first_name: ({ firstName }) => firstName,
  last_name: ({ lastName }) => lastName,
};

export function showCustomer({ id, firstName, lastName, email }: StoreCustomer) {
  return {
    __typename: "Customer",
    id: gid("Customer", id),
    legacyResourceId: id,
    firstName,
    lastName,
    displayName: `${firstName} ${lastName}`,
    email,
    defaultEmailAddress: { emailAddress: email },
    createdAt: OPENED,
    updatedAt: OPENED,
  };
}

export function customerQueries(store: Store, caller: Caller) {
  const { customers } = store;
  return {
    customer({ id }: { id: string }) {
      requireScope(caller, "read_customers", "customer");
      const read = parseGid(id);
      const customer = read?.type === "Customer" ? customers.byId(read.id) : undefined;
      return customer === undefined ? null : showCustomer(customer);
    },
    customers({ query, sortKey, ...page }: PageArguments & { query?: string | null; sortKey?: string | null }) {
      requireScope(caller, "read_customers", "customers");
      return connection(
        search(customers.all(), query, fields),
        page,
        ({ id, firstName, lastName }) => ({ id, value: sortKey === "NAME" ? `${lastName} ${firstName}` : Number(id) }),
        showCustomer,
      );
    },
    customersCount({ query }: { query?: string | null }) {
      requireScope(caller, "read_customers", "customersCount");
      return { count: search(customers.all(), query, fields).length, precision: "EXACT" };
    },
  };
}
