import { write, writeSync } from "node:fs";

const BLOCK_LENGTH = 8 * 1024;
/** Milliseconds within which a line is written, however few there are. */
const FLUSH = 100;
/** Characters that wait for a reader. One that stands still costs lines, not memory without end. */
const BACKLOG = 8 * 1024 * 1024;
/** Milliseconds until a pipe that was full is tried again, and for how many of them the end of the process waits for it. */
const FULL_PAUSE = 50;
const FULL_PATIENCE = 1_000;

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
  let rest: Buffer = Buffer.alloc(0);
  let writing = false;
  let emptied: (() => void)[] = [];

  function pump(): void {
    clearTimeout(waiting);
    waiting = undefined;
    if (writing) return;
    if (rest.length === 0) {
      rest = Buffer.from(block);
      block = "";
    }
    if (rest.length === 0) {
      for (const resolve of emptied) resolve();
      emptied = [];
      return;
    }
    writing = true;
    write(fd, rest, (error, written) => {
      writing = false;
      if (!error) rest = rest.subarray(written);
      else if (isFull(error)) {
        waiting = setTimeout(pump, FULL_PAUSE).unref();
        return;
      } else close();
      // Less than a block can wait for more.
      if (rest.length > 0 || block.length >= BLOCK_LENGTH || emptied.length > 0) pump();
      else if (block !== "") waiting ??= setTimeout(pump, FLUSH).unref();
    });
  }

  function close(): void {
    closed = true;
    block = "";
    rest = Buffer.alloc(0);
  }

  process.on("beforeExit", () => {
    if (block !== "") pump();
  });
  process.on("exit", () => {
    // What is on its way is in the system's hands.
    let left = writing ? Buffer.from(block) : Buffer.concat([rest, Buffer.from(block)]);
    const deadline = performance.now() + FULL_PATIENCE;
    while (left.length > 0 && !closed) {
      try {
        left = left.subarray(writeSync(fd, left));
      } catch (error) {
        const full = error instanceof Error && isFull(error) && performance.now() < deadline;
        if (!full) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PAUSE);
      }
    }
  });

  return {
    write(line) {
      if (closed || block.length + line.length > BACKLOG) return;
      block += line;
      if (block.length >= BLOCK_LENGTH && !writing) pump();
      else waiting ??= setTimeout(pump, FLUSH).unref();
    },
    flush: () =>
      new Promise((resolve) => {
        emptied.push(resolve);
        pump();
      }),
  };
}
