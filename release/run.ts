// `npm run release -- --dry-run`: checks everything that needs no network and prints what a release would do. Without the option it does that.
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { missingSettings, PACKAGES, readImage, readRevision, readVersion, releaseProblems } from "./checks.ts";
import { packageProblems } from "./packages.ts";

const PROJECT = fileURLToPath(new URL("../", import.meta.url));
/** The contract and its SDK, the sizes of the extensions, and the files of the image. */
const CHECKS = ["api", "sdk", "extension", "packaging"];

/** A command that publishes something. */
type Step = readonly [program: string, ...args: string[]];

/** Returns the commands of a release, in their order. */
export function stepsOf(version: string, image: string, revision: string): Step[] {
  const build = (tag: string, ...target: string[]): Step[] => [
    ["docker", "build", "--tag", `${image}:${tag}`, "--build-arg", `REVISION=${revision}`, ...target, "."],
    ["docker", "push", `${image}:${tag}`],
  ];
  return [
    ["git", "tag", "--annotate", `v${version}`, "--message", `Release ${version}`],
    ["git", "push", "origin", `v${version}`],
    ...PACKAGES.map((at): Step => ["npm", "publish", "--provenance", "--access", "public", `./${at}`]),
    ...build(version, "--target", "external"),
    ...build(`${version}-embedded`),
    ["shopify", "app", "deploy", "--allow-updates", "--version", version],
  ];
}

/** Runs a program, whose output is shown. @returns whether it succeeded */
function succeeds([program, ...args]: Step, folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: folder, stdio: "inherit" });
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
}

function isInstalled(program: string, searchPath: string): boolean {
  return searchPath.split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Runs commands up to the first one that fails, and names those that remain. @returns whether all have succeeded */
export async function runSteps(steps: readonly Step[], folder: string, say: (line: string) => void): Promise<boolean> {
  for (const [index, step] of steps.entries()) {
    say(`\n${step.join(" ")}`);
    if (await succeeds(step, folder)) continue;
    const rest = steps.slice(index).map((one) => `  ${one.join(" ")}`);
    say(`\nThis command failed. What is before it is done. Mend the cause, then run:\n${rest.join("\n")}`);
    return false;
  }
  return true;
}

/** Where a release is made, and how its messages are shown. */
interface Surroundings {
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  today: string;
  say: (line: string) => void;
}

/** Makes a release, or with `--dry-run` tells what it would do. @returns whether it succeeded */
export async function release(args: readonly string[], { folder, env, today, say }: Surroundings): Promise<boolean> {
  let isDry: boolean;
  try {
    const { values } = parseArgs({ args: [...args], options: { "dry-run": { type: "boolean", default: false } } });
    isDry = values["dry-run"];
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\nUse: npm run release [-- --dry-run]`);
    return false;
  }
  const version = await readVersion(folder);
  const steps = stepsOf(version, await readImage(folder), await readRevision(folder));
  const missing = [
    ...(await missingSettings(folder, env)),
    ...[...new Set(steps.map(([program]) => program))]
      .filter((program) => !isInstalled(program, env["PATH"] ?? ""))
      .map((program) => `Install ${program}.`),
  ];
  const problems = [...(await releaseProblems(folder, today)), ...(isDry ? [] : missing)];
  if (problems.length > 0) {
    say(`${problems.join("\n")}\n${version} can't be released.`);
    return false;
  }
  for (const build of [
    ["npm", "run", "--silent", "packages"],
    ["npm", "run", "--silent", "check", "--", ...CHECKS],
  ] satisfies Step[]) {
    if (await succeeds(build, folder)) continue;
    say(`\`${build.join(" ")}\` failed. ${version} can't be released.`);
    return false;
  }
  const wrong = await packageProblems(folder, say);
  if (wrong.length > 0) {
    say(`${wrong.join("\n")}\n${version} can't be released.`);
    return false;
  }
  if (isDry) {
    say(`\nThe release of ${version} would run:\n${steps.map((step) => `  ${step.join(" ")}`).join("\n")}`);
    if (missing.length > 0) say(`\nBefore that:\n${missing.map((line) => `  ${line}`).join("\n")}`);
    return true;
  }
  if (!(await runSteps(steps, folder, say))) return false;
  say(`\n${version} is released.`);
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const passed = await release(process.argv.slice(2), {
    folder: PROJECT,
    env: process.env,
    today: new Date().toISOString().slice(0, 10),
    say: (line) => process.stdout.write(`${line}\n`),
  });
  process.exitCode = passed ? 0 : 1;
}
