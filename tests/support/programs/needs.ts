import type { TestOptions } from "vitest";
import { find, installCommands, OPTIONAL_PROGRAMS, type Program } from "./programs.ts";

declare module "vitest" {
  interface TaskMeta {
    /** titles of the missing programs for which the test is skipped */
    missingPrograms?: readonly string[];
  }
}

/**
 * Returns options for a test, or a `describe` block, that starts optional programs. Where one is missing, the test is skipped, and
 * `npm test` says so in its last lines.
 */
export function needs(...programs: readonly (typeof OPTIONAL_PROGRAMS)[number][]): TestOptions {
  const missing = programs.filter((program) => find(program) === undefined);
  if (missing.length === 0) return {};
  return { skip: true, meta: { missingPrograms: missing.map(({ title }) => title) } };
}

/** Returns the path of a program in a test that declares `needs` of it. */
export function pathOf(program: Program): string {
  const found = find(program);
  if (found === undefined) throw new Error(`${program.title} is missing. The test has to declare: needs(…)`);
  return found;
}

/** Returns lines that say how many tests did not run, because which programs are missing, and how to install these. */
export function describeSkipped(tests: readonly { missingPrograms?: readonly string[] | undefined }[]): string[] {
  const skipped = tests.filter(({ missingPrograms = [] }) => missingPrograms.length > 0);
  if (skipped.length === 0) return [];
  const counts = OPTIONAL_PROGRAMS.map((program) => ({
    program,
    count: skipped.filter(({ missingPrograms = [] }) => missingPrograms.includes(program.title)).length,
  })).filter(({ count }) => count > 0);
  const reasons = counts.map(({ program, count }) => `${count} need ${program.title}`);
  const commands = installCommands(counts.map(({ program }) => program));
  return [
    `${skipped.length} tests did not run, because programs are missing: ${reasons.join(", ")}.`,
    `To run them, install the programs: ${commands.join(" && ")}`,
  ];
}
