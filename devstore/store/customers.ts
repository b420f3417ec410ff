import type { SeedShop } from "../../prisma/seed/generate.ts";

export interface StoreCustomer {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
}

const BUSY = 4;
const NEW = 2;

export interface Customers {
  all: readonly StoreCustomer[];
  byId: (id: string) => StoreCustomer | undefined;
  /** the six whom the login page offers: four with much in their wishlists, two who never saved anything */
  toLogIn: readonly StoreCustomer[];
}

export function createCustomers(seed: SeedShop): Customers {
  const all = seed.customers.map(({ customerId, firstName, lastName, email }) => ({
    id: customerId,
    firstName,
    lastName,
    email,
  }));
  const acts = new Map<string, number>();
  for (const { customerId } of seed.history) acts.set(customerId, (acts.get(customerId) ?? 0) + 1);
  const busiest = all.toSorted((left, right) => (acts.get(right.id) ?? 0) - (acts.get(left.id) ?? 0));
  const newcomers = all.filter(({ id }) => !acts.has(id));
  return {
    all,
    byId: (id) => all.find((customer) => customer.id === id),
    toLogIn: [...busiest.slice(0, BUSY), ...newcomers.slice(0, NEW)],
  };
}
