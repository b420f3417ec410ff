import { isBusy, isUnavailable } from "./database-errors.server.ts";

interface Waiting<Input, Output> {
  input: Input;
  resolve: (output: Output) => void;
  reject: (error: unknown) => void;
}

interface BatchOptions<Input> {
  /** batches that run at the same time */
  concurrency: number;
  /** inputs in a batch */
  size: number;
  /** Returns what the inputs of a batch have in common: their shop. */
  group: (input: Input) => number;
}

/**
 * Turns a function of many inputs into one of a single input. Calls of a group in the same tick of the event loop, or while all earlier batches
 * run, share a batch. A single call does not wait.
 * @param work returns one output for each input, in their order. It must be safe to repeat: when it fails for several inputs, it runs
 * again for each input alone, so that one input can't fail the others; but not while the database is unreachable.
 */
export function batched<Input, Output>(
  work: (inputs: readonly Input[]) => Promise<Output[]>,
  { concurrency, size, group }: BatchOptions<Input>,
): (input: Input) => Promise<Output> {
  let queue: Waiting<Input, Output>[] = [];
  let active = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || active >= concurrency || queue.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (active < concurrency && queue.length > 0) {
        active++;
        void runBatch(takeBatch()).finally(() => {
          active--;
          schedule();
        });
      }
    });
  }

  /** Takes the longest waiting input and others of its group. */
  function takeBatch(): Waiting<Input, Output>[] {
    const [first] = queue;
    const batch: Waiting<Input, Output>[] = [];
    const rest: Waiting<Input, Output>[] = [];
    for (const one of queue) {
      const fits = first !== undefined && batch.length < size && group(one.input) === group(first.input);
      (fits ? batch : rest).push(one);
    }
    queue = rest;
    return batch;
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
      // A second wait for a database that does not respond would double the time to the response.
      const isGone = isUnavailable(error) && !isBusy(error);
      if (isGone || batch.length === 1) for (const { reject } of batch) reject(error);
      else await Promise.all(batch.map((one) => runBatch([one])));
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      queue.push({ input, resolve, reject });
      schedule();
    });
}
