import { availableParallelism, cpus } from "node:os";
import { perSecond } from "./measure/alternate.ts";
import type { Spread } from "./measure/spread.ts";

/** A line of the table. */
export interface Row {
  work: string;
  figure: string;
  against: string;
  ratio: string;
  required: string;
  /** undefined when it could not be measured, which `figure` explains */
  passed: boolean | undefined;
}

export function rate({ median, min, max }: Spread): string {
  return `${perSecond(median)} (${Math.round(min).toLocaleString("en")}–${Math.round(max).toLocaleString("en")})`;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}

/** A line that holds one server's rate to another's. */
export function comparison(
  work: string,
  measured: Spread,
  other: { name: string; measured: Spread },
  atLeast: number,
): Row {
  const ratio = measured.median / other.measured.median;
  return {
    work,
    figure: rate(measured),
    against: `${other.name} ${rate(other.measured)}`,
    ratio: `${ratio.toFixed(2)} ×`,
    required: `≥ ${atLeast} ×`,
    passed: ratio >= atLeast,
  };
}

/** A line for what could not be measured. */
export function failedRow(work: string, error: unknown): Row {
  const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
  return { work, figure: reason ?? "", against: "", ratio: "", required: "", passed: undefined };
}

function verdict(passed: boolean | undefined): string {
  return passed === undefined ? "not measured" : passed ? "pass" : "**missed**";
}

/** The table, with what is needed to place its figures. */
export function markdown(
  rows: readonly Row[],
  conditions: { postgres: string; generator: string; quick: boolean; rounds: number; seconds: number; items: number },
): string {
  const { postgres, generator, quick, rounds, seconds, items } = conditions;
  const header = ["work", "this service", "against", "ratio", "required", "result"];
  const lines = rows.map(({ work, figure, against, ratio, required, passed }) =>
    [work, figure, against, ratio, required, verdict(passed)].join(" | "),
  );
  const machine = `${cpus()[0]?.model.trim() ?? "unknown CPU"}, ${availableParallelism()} cores`;
  return [
    ...(quick ? ["A quick run: it shows that everything works; its figures mean nothing.", ""] : []),
    `${new Date().toISOString().slice(0, 10)} · ${machine} · Node ${process.versions.node} · PostgreSQL ${postgres} · ${generator} ·`,
    `${items.toLocaleString("en")} items · medians (min–max) of ${rounds} alternating rounds of ${seconds} s`,
    "",
    `| ${header.join(" | ")} |`,
    `|${header.map(() => " --- ").join("|")}|`,
    ...lines.map((line) => `| ${line} |`),
    "",
  ].join("\n");
}
