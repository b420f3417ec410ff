interface Waiting<Input, Output> {
  input: Input;
  resolve: (output: Output) => void;
  reject: (error: unknown) => void;
}

interface BatchOptions {
  /** batches under way at a time */
  lanes: number;
  /** inputs in a batch */
  size: number;
}

/**
 * Turns a function of many inputs into one of a single input: calls that come in the same turn of the event loop, or while earlier
 * batches are under way, are answered together. A lone call waits for nothing.
 * @param work answers inputs with as many outputs, in their order. It must be safe to repeat: when it fails for several inputs it is
 * asked again for each alone, so that one of them can't fail the others.
 */
export function batched<Input, Output>(
  work: (inputs: readonly Input[]) => Promise<Output[]>,
  { lanes, size }: BatchOptions,
): (input: Input) => Promise<Output> {
  let waiting: Waiting<Input, Output>[] = [];
  let underWay = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || underWay >= lanes || waiting.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (underWay < lanes && waiting.length > 0) {
        const batch = waiting.slice(0, size);
        waiting = waiting.slice(size);
        underWay++;
        void answer(batch).finally(() => {
          underWay--;
          schedule();
        });
      }
    });
  }

  async function answer(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    try {
      const outputs = (await work(batch.map(({ input }) => input))).values();
      for (const { resolve, reject } of batch) {
        const output = outputs.next();
        if (output.done) reject(new Error("a batch was answered in part"));
        else resolve(output.value);
      }
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else await Promise.all(batch.map((one) => answer([one])));
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      schedule();
    });
}
