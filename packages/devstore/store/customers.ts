import type { SeedShop } from "../../../prisma/seed/generate.ts";

export interface StoreCustomer {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  /** created by an order of a guest, without an account */
  isGuest?: true;
  tags?: readonly string[];
}

const ACTIVE = 4;
const INACTIVE = 2;

export interface Customers {
  all: () => readonly StoreCustomer[];
  byId: (id: string) => StoreCustomer | undefined;
  add: (...customers: StoreCustomer[]) => void;
  /** Adds tags, which differ in more than case. */
  addTags: (id: string, tags: readonly string[]) => void;
  /** Creates the customer of a guest's order. */
  createGuest: (email: string) => StoreCustomer;
  /** customers whom the login page offers: of the demo's, the four most active and two without a wishlist */
  demoLogins: () => readonly StoreCustomer[];
}

/** @param seed the demo's customers; none when left out */
export function createCustomers(seed?: SeedShop): Customers {
  const all: StoreCustomer[] = (seed?.customers ?? []).map(({ customerId, firstName, lastName, email }) => ({
    id: customerId,
    firstName,
    lastName,
    email,
  }));
  const events = new Map<string, number>();
  for (const { customerId } of seed?.history ?? []) events.set(customerId, (events.get(customerId) ?? 0) + 1);
  const mostActive = all.toSorted((left, right) => (events.get(right.id) ?? 0) - (events.get(left.id) ?? 0));
  const inactive = all.filter(({ id }) => !events.has(id));
  const demoLogins = [...mostActive.slice(0, ACTIVE), ...inactive.slice(0, INACTIVE)];
  return {
    all: () => all,
    byId: (id) => all.find((customer) => customer.id === id),
    add: (...customers) => void all.push(...customers),
    addTags(id, tags) {
      const customer = all.find((one) => one.id === id);
      if (!customer) return;
      const byKey = new Map([...tags, ...(customer.tags ?? [])].map((tag) => [tag.toLowerCase(), tag]));
      customer.tags = [...byKey.values()].toSorted((a, b) => a.localeCompare(b));
    },
    createGuest(email) {
      const guest: StoreCustomer = {
        id: String(6_990_000_000_001 + all.length),
        firstName: "",
        lastName: "",
        email,
        isGuest: true,
      };
      all.push(guest);
      return guest;
    },
    demoLogins: () => (seed === undefined ? all.filter(({ isGuest }) => isGuest !== true) : demoLogins),
  };
}
