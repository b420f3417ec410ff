import { readFile } from "node:fs/promises";
import { runToEnd } from "../lifetime.ts";

const MB_PER_KIB = 1_024 / 1_000_000;
// Linux counts processor time for programs in ticks of this length, whatever the kernel's own are.
const TICK_MS = 10;

/** Resident memory of a process in MB, or undefined when it is gone. */
export async function resident(pid: number): Promise<number | undefined> {
  const text =
    process.platform === "linux"
      ? await readFile(`/proc/${pid}/status`, "utf8").then((status) => /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1])
      : (await runToEnd("ps", ["-o", "rss=", "-p", String(pid)])).stdout.trim();
  const kib = Number(text);
  return Number.isFinite(kib) && kib > 0 ? kib * MB_PER_KIB : undefined;
}

/** Processor time that a process has used, in milliseconds; undefined where that can't be told. */
export async function processorTime(pid: number): Promise<number | undefined> {
  if (process.platform !== "linux") return undefined;
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // Behind the name in parentheses, which can hold anything: state is field 3, utime and stime are 14 and 15 (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
