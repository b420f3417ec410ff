import type { Prisma } from "@prisma/client";
import type pg from "pg";
import { traceOfChange } from "../tracing/statements.server.ts";
import { traced } from "../tracing/tracing.server.ts";
import { prisma, runOne, withinShare, type Statement } from "./database.server.ts";
import { inTransactionOf } from "./work-class.server.ts";

type AfterCommit = () => void | Promise<void>;

const afterCommits = new WeakMap<Prisma.TransactionClient, AfterCommit[]>();

/**
 * Runs a transaction of one shop, within the shop's share of the connections. Every mutation takes `tx` as its first parameter, so that its
 * caller decides what commits together: usually the change and its audit entry. Only single statements (hot paths, purges) run without.
 * @throws ShopBusyError before anything has been done
 */
export async function transaction<Result>(
  shopId: number,
  work: (tx: Prisma.TransactionClient) => Promise<Result>,
): Promise<Result> {
  const committed: AfterCommit[] = [];
  const transact = (): Promise<Result> =>
    inTransactionOf(shopId, () =>
      prisma().$transaction(async (tx) => {
        afterCommits.set(tx, committed);
        const trace = traceOfChange();
        if (trace !== undefined) await tx.$queryRaw`SELECT set_config('wishlist.trace', ${trace}, true)`;
        return work(tx);
      }),
    );
  const result = await traced("transaction", { attributes: { "wishlist.shop_id": shopId } }, () =>
    withinShare(shopId, transact, "request"),
  );
  for (const follow of committed) await follow();
  return result;
}

/** Registers what follows from a mutation once its transaction has committed, such as to enqueue a task or to wake a worker. */
export function afterCommit(tx: Prisma.TransactionClient, follow: AfterCommit): void {
  const registered = afterCommits.get(tx);
  if (!registered) throw new Error("afterCommit needs the client of a transaction that transaction() has started");
  registered.push(follow);
}

/** How a change is executed: as a single statement, or in a transaction with others. */
export interface Execution {
  /** Runs a statement that returns one row. */
  runOne: <Row extends pg.QueryResultRow>(of: Statement<Row>, values: readonly unknown[]) => Promise<Row>;
  afterCommit: (follow: () => void) => void;
}

/** The execution of a change that is a single statement. */
export const SINGLE: Execution = {
  runOne,
  afterCommit(follow) {
    follow();
  },
};

/** Returns the execution of changes in a transaction. A statement that fails is rolled back alone, so that the transaction can go on. */
export function executionIn(tx: Prisma.TransactionClient): Execution {
  return {
    async runOne<Row extends pg.QueryResultRow>({ name, text }: Statement<Row>, values: readonly unknown[]) {
      await tx.$executeRaw`SAVEPOINT change`;
      try {
        const [row] = await tx.$queryRawUnsafe<Row[]>(text, ...values);
        if (row === undefined) throw new Error(`${name} returned no row`);
        return row;
      } catch (error) {
        await tx.$executeRaw`ROLLBACK TO SAVEPOINT change`;
        throw error;
      }
    },
    afterCommit(follow) {
      afterCommit(tx, follow);
    },
  };
}
