import { tracesStatements } from "../../platform/tracing/statements.server.ts";
import { DEFAULT_LIST, idOf, type ListRef } from "../owner.ts";
import type { Source } from "../source.ts";

/** A change of one item of a customer's default list. */
export interface PlainChange {
  list: ListRef;
  productId: string;
  variantId: string | undefined;
  source: Source;
  at: Date;
}

/**
 * How concurrent changes of a shop share a transaction, because its commit is the larger part of the cost of a change. No such change can be refused by
 * an error, which would roll the others back.
 */
export const SHARED = { concurrency: 2, size: 16, group: ({ list }: PlainChange) => list.shopId };

export function columnsOf(changes: readonly PlainChange[]): unknown[] {
  return [
    changes[0]?.list.shopId,
    changes.map(({ list }) => list.id),
    changes.map(({ productId }) => productId),
    changes.map(({ variantId }) => variantId ?? null),
    changes.map(({ source }) => source),
    changes.map(({ at }) => at),
  ];
}

/** Tells whether a change of a list can share a transaction. With traces, each change is a statement that carries its trace. */
export function sharesTransaction(list: ListRef): boolean {
  return list.kind === "customer" && idOf(list) === DEFAULT_LIST && !tracesStatements();
}
