import { write, writeSync } from "node:fs";

const BLOCK_LENGTH = 8 * 1024;
/** Milliseconds within which a line is written, however few there are. */
const FLUSH_DELAY = 100;
/** Characters that wait for a reader. One that stands still costs lines, not memory without end. */
const MAX_BACKLOG = 8 * 1024 * 1024;
/** Milliseconds until a pipe that was full is tried again, and for how many of them the end of the process waits for it. */
const RETRY_DELAY = 50;
const EXIT_TIMEOUT = 1_000;

export interface LineWriter {
  /** @param line with its line feed */
  write: (line: string) => void;
  /** Resolves when everything so far is written, or nobody reads any more. */
  flush: () => Promise<void>;
}

function isFull(error: NodeJS.ErrnoException): boolean {
  return error.code === "EAGAIN";
}

/**
 * Writes lines to a file descriptor in the background and in blocks: a write for each would cost a request more than its own work. A reader
 * that has gone away is no error. What is left when the process ends is written then.
 */
export function lineWriter(fd: number): LineWriter {
  let block = "";
  let waiting: NodeJS.Timeout | undefined;
  let closed = false;
  /** what the system has not taken yet, the first of it perhaps on its way */
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
      // Less than a block can wait for more.
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
    // What is on its way is in the system's hands.
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
