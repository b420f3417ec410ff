import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Kinds of work, each with connections and time limits of its own: requests, including reports; jobs and the outbox processor; exports, which hold
 * a connection for as long as somebody downloads.
 */
export type WorkClass = "request" | "background" | "export";

interface Work {
  class: WorkClass;
  /** the shop whose transaction this is part of */
  transactionOf: number | undefined;
}

const current = new AsyncLocalStorage<Work>();

/** The class of the work in progress: a request's unless something else was said. */
export function workClass(): WorkClass {
  return current.getStore()?.class ?? "request";
}

/** Runs work, and whatever it starts, as work of a class. */
export function runAs<Result>(workClass: WorkClass, work: () => Result): Result {
  return current.run({ class: workClass, transactionOf: undefined }, work);
}

/** Runs work as part of a shop's transaction. */
export function inTransactionOf<Result>(shopId: number, work: () => Result): Result {
  return current.run({ class: workClass(), transactionOf: shopId }, work);
}

/** Is the work in progress part of a transaction of this shop? */
export function isInTransactionOf(shopId: number): boolean {
  return current.getStore()?.transactionOf === shopId;
}
