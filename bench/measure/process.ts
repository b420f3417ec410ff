import { readdir, readFile } from "node:fs/promises";
import { runToEnd } from "../lifetime.ts";

const MB_PER_KIB = 1_024 / 1_000_000;
// Length of the ticks in which Linux reports CPU time to programs.
const TICK_MS = 10;

/** Returns the resident memory of a process in MB, or undefined when the process has ended. */
export async function residentMemory(pid: number): Promise<number | undefined> {
  const text =
    process.platform === "linux"
      ? await readFile(`/proc/${pid}/status`, "utf8").then((status) => /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1])
      : (await runToEnd("ps", ["-o", "rss=", "-p", String(pid)])).stdout.trim();
  const kib = Number(text);
  return Number.isFinite(kib) && kib > 0 ? kib * MB_PER_KIB : undefined;
}

/** Returns the CPU time of a process in milliseconds, or undefined on systems other than Linux. */
export async function processorTime(pid: number): Promise<number | undefined> {
  if (process.platform !== "linux") return undefined;
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // After the name in parentheses, which may contain spaces: state is field 3, utime and stime are 14 and 15 (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Returns the number of open file descriptors of a process on Linux. */
export async function openDescriptors(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** Returns the CPU time of a process, its children and its ended children in milliseconds, on Linux: that of a PostgreSQL server by its postmaster. */
export async function processorTimeOfTree(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const own = async (id: string, ended: boolean): Promise<number> => {
    const stat = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // cutime and cstime are fields 16 and 17 (proc(5)).
    const ticks = ended ? fields.slice(11, 15) : fields.slice(11, 13);
    return ticks.reduce((sum, field) => sum + Number(field || 0), 0) * TICK_MS;
  };
  const times = await Promise.all([
    own(String(pid), true),
    ...children
      .split(" ")
      .filter((id) => id !== "")
      .map((id) => own(id, false)),
  ]);
  return times.reduce((sum, time) => sum + time, 0);
}
