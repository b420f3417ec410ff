import { z } from "zod";
import type { Customer, Ledger } from "./ledger.ts";

export const KINDS = ["add", "remove", "merge", "share", "read", "report"] as const;
export type Kind = (typeof KINDS)[number];

/** How often each kind occurs, in percent. */
export const MIX: Record<Kind, number> = { add: 32, remove: 12, merge: 8, share: 10, read: 28, report: 10 };

/** Items of a merge. */
const MERGED = 3;

export interface Operation {
  kind: Kind;
  customer: Customer;
  method: "GET" | "POST" | "DELETE";
  path: string;
  body?: string;
  /** Checks and records a success. @param certain whether no earlier attempt is in doubt */
  succeeded: (body: unknown, certain: boolean) => void;
  /** Records that the operation never got a response. */
  unresolved: () => void;
}

const pageSchema = z.object({ data: z.object({ items: z.array(z.object({ productId: z.string() })) }) });
const dailySchema = z.object({ data: z.object({ days: z.array(z.object({ itemsAdded: z.number() })) }) });

const ignore = (): void => undefined;

function add(ledger: Ledger, customer: Customer): Operation {
  const product = ledger.newProduct();
  return {
    kind: "add",
    customer,
    method: "POST",
    path: `/v1/wishlists/${customer.id}/items`,
    body: JSON.stringify({ product_id: product, variant_id: "v1" }),
    succeeded: (_body, certain) => ledger.recordAdded(customer, [product], certain),
    unresolved: () => void customer.unknown.add(product),
  };
}

function merge(ledger: Ledger, customer: Customer): Operation {
  const products = Array.from({ length: MERGED }, () => ledger.newProduct());
  const items = products.map((product) => ({ productId: product, variantId: "v1", addedAt: new Date().toISOString() }));
  return {
    kind: "merge",
    customer,
    method: "POST",
    path: `/v1/wishlists/${customer.id}/merge`,
    body: JSON.stringify({ items }),
    succeeded: (_body, certain) => ledger.recordAdded(customer, products, certain),
    unresolved: () => products.forEach((product) => customer.unknown.add(product)),
  };
}

function remove(ledger: Ledger, customer: Customer): Operation {
  const [product] = customer.items;
  if (product === undefined) return add(ledger, customer);
  return {
    kind: "remove",
    customer,
    method: "DELETE",
    path: `/v1/wishlists/${customer.id}/items/${product}`,
    succeeded: () => ledger.recordRemoved(customer, product),
    unresolved: () => {
      customer.items.delete(product);
      customer.unknown.add(product);
    },
  };
}

function share(ledger: Ledger, customer: Customer): Operation {
  return {
    kind: "share",
    customer,
    method: "GET",
    path: `/v1/wishlists/${customer.id}/share`,
    succeeded: () => {
      if (customer.shared === "no") ledger.recordShared(customer);
    },
    unresolved: () => {
      if (customer.shared === "no") customer.shared = "unknown";
    },
  };
}

function read(ledger: Ledger, customer: Customer): Operation {
  const expected = [...customer.items];
  return {
    kind: "read",
    customer,
    method: "GET",
    path: `/v1/wishlists/${customer.id}?limit=200`,
    succeeded: (body) => {
      const found = new Set(pageSchema.parse(body).data.items.map(({ productId }) => productId));
      const missing = expected.filter((product) => !found.has(product));
      if (missing.length > 0) ledger.staleReads.push(`${customer.id} lacks ${missing.join(", ")}`);
    },
    unresolved: ignore,
  };
}

/** A report includes every change that was acknowledged before its request. */
function report(ledger: Ledger, customer: Customer, addedBefore: number): Operation {
  const expected = addedBefore + ledger.addedTo(customer.shop);
  return {
    kind: "report",
    customer,
    method: "GET",
    path: "/v1/analytics/daily?days=3",
    succeeded: (body) => {
      const reported = dailySchema.parse(body).data.days.reduce((sum, { itemsAdded }) => sum + itemsAdded, 0);
      if (reported < expected) {
        ledger.staleReads.push(`report of ${customer.shop.name} counts ${reported} added items instead of ${expected}`);
      }
    },
    unresolved: ignore,
  };
}

/** @param addedBefore items that were added to the customer's shop before this scenario */
export function operation(kind: Kind, ledger: Ledger, customer: Customer, addedBefore: number): Operation {
  if (kind === "report") return report(ledger, customer, addedBefore);
  return { add, remove, merge, share, read }[kind](ledger, customer);
}
