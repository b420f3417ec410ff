/** Milliseconds between two updates of the line. */
const INTERVAL = 100;

/** A line on standard error that shows what a command does, on a terminal only. */
export interface ProgressLine {
  show: (text: string) => void;
  /** Removes the line. */
  clear: () => void;
}

export function progressLine(stream: Pick<NodeJS.WriteStream, "isTTY" | "write"> = process.stderr): ProgressLine {
  let shown = 0;
  const write = (text: string): void => {
    if (stream.isTTY) stream.write(`\r\u001B[K${text}`);
  };
  return {
    show: (text) => {
      const at = performance.now();
      if (at - shown < INTERVAL) return;
      shown = at;
      write(text);
    },
    clear: () => {
      if (shown > 0) write("");
    },
  };
}
