import { z } from "zod";

const targets = z.array(z.object({ webSocketDebuggerUrl: z.string() }));
const reply = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});
const heapUsage = z.object({ usedSize: z.number() });
const evaluated = z.object({ result: z.object({ value: z.string() }) });
const eventLoop = z.object({ p50: z.number(), p99: z.number(), max: z.number() });

/** Runs in the measured process. The histogram counts nanoseconds. */
const WATCH = `globalThis.loopDelay = process.getBuiltinModule("node:perf_hooks").monitorEventLoopDelay({ resolution: 10 }); loopDelay.enable(); "on"`;
const READ = `(() => { const ms = (ns) => ns / 1e6;
  const read = { p50: ms(loopDelay.percentile(50)), p99: ms(loopDelay.percentile(99)), max: ms(loopDelay.max) };
  loopDelay.reset(); return JSON.stringify(read); })()`;

/** Looks into a Node process that runs with --inspect. */
export interface Inspector {
  /** Collects garbage and returns the used heap in MB. */
  heapAfterCollection: () => Promise<number>;
  /** Returns the event loop's delay since the last call, in milliseconds, with the timer's own 10 ms. */
  eventLoopDelay: () => Promise<z.infer<typeof eventLoop>>;
  close: () => void;
}

/** @param port of --inspect */
export async function inspect(port: number): Promise<Inspector> {
  const [target] = targets.parse(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json());
  if (!target) throw new Error("the process has no inspector");
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", reject, { once: true });
  });
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  socket.addEventListener("message", ({ data }) => {
    const message = reply.safeParse(JSON.parse(String(data)));
    if (!message.success) return;
    const { id, result, error } = message.data;
    if (error) waiting.get(id)?.reject(new Error(error.message));
    else waiting.get(id)?.resolve(result);
    waiting.delete(id);
  });
  socket.addEventListener("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("the inspected process has ended"));
  });
  let count = 0;
  const call = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++count;
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  const evaluate = async (expression: string): Promise<string> =>
    evaluated.parse(await call("Runtime.evaluate", { expression, returnByValue: true })).result.value;

  await call("HeapProfiler.enable");
  await evaluate(WATCH);
  return {
    async heapAfterCollection() {
      await call("HeapProfiler.collectGarbage");
      return heapUsage.parse(await call("Runtime.getHeapUsage")).usedSize / 1_000_000;
    },
    async eventLoopDelay() {
      return eventLoop.parse(JSON.parse(await evaluate(READ)));
    },
    close() {
      socket.close();
    },
  };
}
