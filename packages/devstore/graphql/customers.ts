import type { StoreCustomer } from "../store/customers.ts";
import type { Store } from "../store/store.ts";
import { gid, parseGid } from "../foundation/gid.ts";
import { connection, type PageArguments } from "./connections.ts";
import { badUserInput, requireScope, type Caller } from "./problems.ts";
import { search, type SearchFields } from "./search.ts";

const OPENED = "2026-01-05T09:00:00.000Z";

const fields: SearchFields<StoreCustomer> = {
  text: ({ firstName, lastName, email }) => `${firstName} ${lastName} ${email}`,
  id: ({ id }) => Number(id),
  email: ({ email }) => email,
  first_name: ({ firstName }) => firstName,
  last_name: ({ lastName }) => lastName,
};

export function showCustomer({ id, firstName, lastName, email, tags = [] }: StoreCustomer) {
  return {
    __typename: "Customer",
    id: gid("Customer", id),
    legacyResourceId: id,
    firstName,
    lastName,
    displayName: `${firstName} ${lastName}`,
    email,
    defaultEmailAddress: { emailAddress: email },
    tags,
    createdAt: OPENED,
    updatedAt: OPENED,
  };
}

const MOST_TAGS = 250;
const TAG_LENGTH = 255;

/** Returns why Shopify refuses to add tags. */
function refusal(
  customer: StoreCustomer | undefined,
  tags: readonly string[],
): { field: string[]; message: string } | undefined {
  if (customer === undefined) return { field: ["id"], message: "Customer does not exist" };
  if (tags.some((tag) => tag.length > TAG_LENGTH))
    return { field: ["tags"], message: `Tags is too long (maximum is ${TAG_LENGTH} characters)` };
  if ((customer.tags ?? []).length + tags.length > MOST_TAGS)
    return { field: ["tags"], message: `Tags exceed the maximum of ${MOST_TAGS}` };
  return undefined;
}

export function customerFields(store: Store, caller: Caller) {
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
    // Of what can have tags, the app tags customers alone.
    tagsAdd({ id, tags }: { id: string; tags: string[] }) {
      requireScope(caller, "write_customers", "tagsAdd");
      const read = parseGid(id);
      if (read?.type !== "Customer") throw badUserInput("invalid id");
      // A text of several tags, separated by commas, is as good as a list.
      const given = tags.flatMap((text) => text.split(",")).flatMap((tag) => tag.trim() || []);
      const customer = customers.byId(read.id);
      const refused = refusal(customer, given);
      if (refused) return { node: null, userErrors: [refused] };
      customers.addTags(read.id, given);
      return { node: customer && showCustomer(customer), userErrors: [] };
    },
  };
}
