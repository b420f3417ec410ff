import { z } from "zod";
import { search } from "../../devstore/graphql/search.ts";

/** A customer of one of the stores behind the stand-in. */
export interface TestCustomer {
  id: number;
  shop: string;
  firstName: string;
  lastName: string;
  email: string;
}

/** What stores tell of their customers, and to whom. */
export interface Customers {
  all: TestCustomer[];
  /** shops that have granted `read_customers` */
  permitted: Set<string>;
}

const gid = (id: number): string => `gid://shopify/Customer/${id}`;

function toNode({ id, firstName, lastName, email }: TestCustomer) {
  return {
    id: gid(id),
    displayName: `${firstName} ${lastName}`.trim() || email,
    defaultEmailAddress: { emailAddress: email },
  };
}

/** The data of an answer about customers; undefined for another operation. */
export function customersAnswer(
  { all }: Customers,
  shop: string,
  operation: string,
  variables: Record<string, unknown>,
): unknown {
  const ours = all.filter((customer) => customer.shop === shop);
  if (operation === "CustomerNames") {
    const ids = z.array(z.string()).max(250).parse(variables["ids"]);
    return {
      nodes: ids.map((wanted) => {
        const found = ours.find(({ id }) => gid(id) === wanted);
        return found ? toNode(found) : null;
      }),
    };
  }
  if (operation !== "CustomerSearch") return undefined;
  const { query, first } = z.object({ query: z.string(), first: z.int() }).parse(variables);
  const found = search(ours, query, {
    text: ({ firstName, lastName, email }) => `${firstName} ${lastName} ${email}`,
    email: ({ email }) => email,
  });
  return { customers: { nodes: found.slice(0, first).map(toNode), pageInfo: { hasNextPage: found.length > first } } };
}
