import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Kinds of work, each with separate connections and time limits: requests, including reports; jobs and the outbox processor; exports, which
 * hold a connection during the whole download; the readings of monitoring, which must succeed while all other connections are in use.
 */
export const WORK_CLASSES = ["request", "background", "export", "monitoring"] as const;
export type WorkClass = (typeof WORK_CLASSES)[number];

interface Work {
  class: WorkClass;
  /** the shop whose transaction this is part of */
  transactionOf: number | undefined;
}

const current = new AsyncLocalStorage<Work>();

/** Returns the class of the current work; "request" by default. */
export function workClass(): WorkClass {
  return current.getStore()?.class ?? "request";
}

/** Runs work, and all work that it starts, as work of a class. */
export function runAs<Result>(workClass: WorkClass, work: () => Result): Result {
  return current.run({ class: workClass, transactionOf: undefined }, work);
}

/** Runs work as part of a shop's transaction. */
export function inTransactionOf<Result>(shopId: number, work: () => Result): Result {
  return current.run({ class: workClass(), transactionOf: shopId }, work);
}

/** Tells whether the current work is part of a transaction of this shop. */
export function isInTransactionOf(shopId: number): boolean {
  return current.getStore()?.transactionOf === shopId;
}
