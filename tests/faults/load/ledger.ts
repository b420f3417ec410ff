import type { Shop } from "../rig/shops.ts";

/** What a customer's list must hold, by the responses so far. */
export interface Customer {
  id: string;
  shop: Shop;
  /** saved items of which no attempt is in doubt */
  items: Set<string>;
  /** items whose addition was acknowledged, in the order of the responses */
  added: string[];
  /** items whose removal was acknowledged */
  removed: Set<string>;
  /** items of changes that never got a response */
  unknown: Set<string>;
  shared: "no" | "yes" | "unknown";
}

/** Every write that was acknowledged during one scenario. */
export class Ledger {
  /** distinguishes the customers of this scenario from those of others */
  readonly prefix: string;
  readonly customers: Customer[] = [];
  /** reads that missed an acknowledged write */
  readonly staleReads: string[] = [];
  acknowledged = 0;
  #products = 0;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  newCustomer(shop: Shop): Customer {
    const id = `${this.prefix}-${this.customers.length + 1}`;
    const customer: Customer = {
      id,
      shop,
      items: new Set(),
      added: [],
      removed: new Set(),
      unknown: new Set(),
      shared: "no",
    };
    this.customers.push(customer);
    return customer;
  }

  /** Returns a product that was not used in this scenario before. */
  newProduct(): string {
    return `${this.prefix}-p${++this.#products}`;
  }

  /** @param certain whether the first attempt succeeded; a change in doubt may still be executed later */
  recordAdded({ items, added }: Customer, products: readonly string[], certain: boolean): void {
    this.acknowledged++;
    added.push(...products);
    if (certain) for (const product of products) items.add(product);
  }

  recordRemoved({ items, removed }: Customer, product: string): void {
    this.acknowledged++;
    items.delete(product);
    removed.add(product);
  }

  recordShared(customer: Customer): void {
    this.acknowledged++;
    customer.shared = "yes";
  }

  /** Returns how many items of a shop were added, by the responses so far. */
  addedTo(shop: Shop): number {
    return this.customers.reduce((sum, { shop: of, added }) => sum + (of === shop ? added.length : 0), 0);
  }
}
