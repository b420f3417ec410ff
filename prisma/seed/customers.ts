import type { SeedCustomer } from "./model.ts";
import { NAME_GROUPS } from "./names-table.ts";
import type { Name } from "./names-table.ts";
import { randomStream } from "./random.ts";
import { customerIdOf } from "./shopify-ids.ts";

/** Letters that Unicode does not decompose into a base letter and a mark. */
const ASCII_CHARACTERS = new Map(
  Object.entries({ ß: "ss", ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" }),
);

/** Generates `count` customers with different names. */
export function generateCustomers(count: number, seed: number): SeedCustomer[] {
  const random = randomStream(seed, "customers");
  const groupSizes = NAME_GROUPS.map((group) => group.firstNames.length);
  const customers: SeedCustomer[] = [];
  const emails = new Set<string>();

  while (customers.length < count) {
    const group = NAME_GROUPS[random.weightedIndex(groupSizes) ?? 0];
    if (group === undefined) throw new Error("NAME_GROUPS is empty");
    const first = random.pick(group.firstNames);
    const last = random.pick(group.lastNames);
    const email = `${mailbox(first)}.${mailbox(last)}@example.com`;
    // A repeated name is skipped. The table has more than twice as many names as needed.
    if (emails.has(email)) continue;
    emails.add(email);
    const customerId = customerIdOf(customers.length);
    customers.push({ customerId, firstName: asWritten(first), lastName: asWritten(last), email });
  }
  return customers;
}

function asWritten(name: Name): string {
  return typeof name === "string" ? name : name.written;
}

function mailbox(name: Name): string {
  const text = (typeof name === "string" ? name : name.latin).toLowerCase();
  const characters = Array.from(text, (character) => ASCII_CHARACTERS.get(character) ?? character).join("");
  return characters.normalize("NFD").replaceAll(/[^a-z]/g, "");
}
