import { availableParallelism, cpus } from "node:os";
import { perSecond } from "./measure/alternate.ts";
import type { Spread } from "./measure/spread.ts";

/** A row of the table of results. */
export interface Row {
  work: string;
  figure: string;
  against: string;
  ratio: string;
  required: string;
  /** undefined when the measurement failed, as `figure` explains */
  passed: boolean | undefined;
}

export function rate({ median, min, max }: Spread): string {
  return `${perSecond(median)} (${Math.round(min).toLocaleString("en")}–${Math.round(max).toLocaleString("en")})`;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}

/** Returns a row that compares the rates of two servers. */
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

/** Returns the row of a failed measurement. */
export function failedRow(work: string, error: unknown): Row {
  const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
  return { work, figure: reason ?? "", against: "", ratio: "", required: "", passed: undefined };
}

function verdict(passed: boolean | undefined): string {
  return passed === undefined ? "not measured" : passed ? "pass" : "**missed**";
}

/** Returns the table with the conditions of the run, in Markdown. */
export function markdown(
  rows: readonly Row[],
  conditions: { postgres: string; generator: string; quick: boolean; rounds: number; seconds: number; items: number },
): string {
  const { postgres, generator, quick, rounds, seconds, items } = conditions;
  const header = ["work", "this service", "against", "ratio", "required", "result"];
  const lines = rows.map(({ work, figure, against, ratio, required: target, passed }) =>
    [work, figure, against, ratio, target, verdict(passed)].join(" | "),
  );
  const machine = `${cpus()[0]?.model.trim() ?? "unknown CPU"}, ${availableParallelism()} cores`;
  return [
    ...(quick ? ["A quick run: it tests that everything works; its figures have no meaning.", ""] : []),
    `${new Date().toISOString().slice(0, 10)} · ${machine} · Node ${process.versions.node} · PostgreSQL ${postgres} · ${generator} ·`,
    `${items.toLocaleString("en")} items · medians (min–max) of ${rounds} alternating rounds of ${seconds} s`,
    "",
    `| ${header.join(" | ")} |`,
    `|${header.map(() => " --- ").join("|")}|`,
    ...lines.map((line) => `| ${line} |`),
    "",
  ].join("\n");
}
