import { write, writeSync } from "node:fs";

const BLOCK_LENGTH = 8 * 1024;
/** Milliseconds after which an incomplete block is written. */
const FLUSH_DELAY = 100;
/** Maximum characters that wait for the reader. When the reader stalls, further lines are dropped to bound memory. */
const MAX_BACKLOG = 8 * 1024 * 1024;
/** Milliseconds until a write to a full pipe is retried, and for which the exit of the process waits for it. */
const RETRY_DELAY = 50;
const EXIT_TIMEOUT = 1_000;

export interface LineWriter {
  /** @param line with its line feed */
  write: (line: string) => void;
  /** Resolves when all lines so far are written, or the reader is gone. */
  flush: () => Promise<void>;
}

function isFull(error: NodeJS.ErrnoException): boolean {
  return error.code === "EAGAIN";
}

/**
 * Writes lines to a file descriptor asynchronously and in blocks, because one write per line would cost more than handling a request. A
 * closed reader is not an error. Remaining lines are written when the process exits.
 */
export function lineWriter(fd: number): LineWriter {
  let block = "";
  let waiting: NodeJS.Timeout | undefined;
  let closed = false;
  /** bytes of the current block that are not yet written; a write of the first of them may be in progress */
  let pending: Buffer = Buffer.alloc(0);
  let writing = false;
  let flushWaiters: (() => void)[] = [];

  function pump(): void {
    clearTimeout(waiting);
    waiting = undefined;
    if (writing) return;
    if (pending.length === 0) {
      pending = Buffer.from(block);
      block = "";
    }
    if (pending.length === 0) {
      for (const resolve of flushWaiters) resolve();
      flushWaiters = [];
      return;
    }
    writing = true;
    write(fd, pending, (error, written) => {
      writing = false;
      if (!error) pending = pending.subarray(written);
      else if (isFull(error)) {
        waiting = setTimeout(pump, RETRY_DELAY).unref();
        return;
      } else close();
      // An incomplete block waits for more lines.
      if (pending.length > 0 || block.length >= BLOCK_LENGTH || flushWaiters.length > 0) pump();
      else if (block !== "") waiting ??= setTimeout(pump, FLUSH_DELAY).unref();
    });
  }

  function close(): void {
    closed = true;
    block = "";
    pending = Buffer.alloc(0);
  }

  process.on("beforeExit", () => {
    if (block !== "") pump();
  });
  process.on("exit", () => {
    // A write in progress will be completed by the system.
    let left = writing ? Buffer.from(block) : Buffer.concat([pending, Buffer.from(block)]);
    const deadline = performance.now() + EXIT_TIMEOUT;
    while (left.length > 0 && !closed) {
      try {
        left = left.subarray(writeSync(fd, left));
      } catch (error) {
        const full = error instanceof Error && isFull(error) && performance.now() < deadline;
        if (!full) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_DELAY);
      }
    }
  });

  return {
    write(line) {
      if (closed || block.length + line.length > MAX_BACKLOG) return;
      block += line;
      if (block.length >= BLOCK_LENGTH && !writing) pump();
      else waiting ??= setTimeout(pump, FLUSH_DELAY).unref();
    },
    flush: () =>
      new Promise((resolve) => {
        flushWaiters.push(resolve);
        pump();
      }),
  };
}
