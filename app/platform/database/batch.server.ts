import { isBusy, isUnavailable } from "./errors.server.ts";
import { ShopBusyError } from "./shop-gate.server.ts";

interface Waiting<Input, Output> {
  input: Input;
  resolve: (output: Output) => void;
  reject: (error: unknown) => void;
}

interface BatchOptions<Input> {
  /** batches of a group that run at the same time */
  concurrency: number;
  /** inputs in a batch */
  size: number;
  /** Returns what the inputs of a batch have in common, such as their shop. Groups do not wait for each other. */
  group: (input: Input) => number;
}

/** For reads whose statement costs more than what it finds, such as a page of a list: concurrent requests of a shop share one. */
export const SMALL_READS = { concurrency: 2, size: 16 };

interface Group<Input, Output> {
  queue: Waiting<Input, Output>[];
  /** batches that run */
  active: number;
  scheduled: boolean;
}

/**
 * Turns a function of many inputs into one of a single input. Calls of a group in the same tick of the event loop, or while all earlier batches
 * of the group run, share a batch. A single call does not wait.
 * @param work returns one output for each input, in their order. It must be safe to repeat: when it fails for several inputs, it runs
 * again for each input alone, so that one input can't fail the others; but not while the database is unreachable or the shop's share of it used up.
 */
export function batched<Input, Output>(
  work: (inputs: readonly Input[]) => Promise<Output[]>,
  { concurrency, size, group: groupOf }: BatchOptions<Input>,
): (input: Input) => Promise<Output> {
  /** those with inputs that wait or run */
  const groups = new Map<number, Group<Input, Output>>();

  function schedule(id: number, group: Group<Input, Output>): void {
    if (group.active === 0 && group.queue.length === 0) groups.delete(id);
    if (group.scheduled || group.active >= concurrency || group.queue.length === 0) return;
    group.scheduled = true;
    setImmediate(() => {
      group.scheduled = false;
      while (group.active < concurrency && group.queue.length > 0) {
        group.active++;
        void runBatch(group.queue.splice(0, size)).finally(() => {
          group.active--;
          schedule(id, group);
        });
      }
    });
  }

  async function runBatch(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    try {
      const outputs = (await work(batch.map(({ input }) => input))).values();
      for (const { resolve, reject } of batch) {
        const output = outputs.next();
        if (output.done) reject(new Error("a batch returned fewer outputs than inputs"));
        else resolve(output.value);
      }
    } catch (error) {
      // A second wait, for a database that does not respond or for the shop's share, would double the time to the response.
      const waited = error instanceof ShopBusyError || (isUnavailable(error) && !isBusy(error));
      if (waited || batch.length === 1) for (const { reject } of batch) reject(error);
      else await Promise.all(batch.map((one) => runBatch([one])));
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      const id = groupOf(input);
      let group = groups.get(id);
      if (!group) groups.set(id, (group = { queue: [], active: 0, scheduled: false }));
      group.queue.push({ input, resolve, reject });
      schedule(id, group);
    });
}
