import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { launch, runOrThrow } from "../../bench/lifetime.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));
const NODE = path.join(project, "node_modules/.bin/node");

const packageShape = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});

/** Tells whether this project's packages include those of another folder, in the same versions. */
async function hasPackagesOf(folder: string): Promise<boolean> {
  const read = async (at: string) =>
    packageShape.parse(JSON.parse(await readFile(path.join(at, "package.json"), "utf8")));
  const [other, own] = await Promise.all([read(folder), read(project)]);
  const installed = { ...own.devDependencies, ...own.dependencies };
  return Object.entries({ ...other.devDependencies, ...other.dependencies }).every(
    ([name, version]) => installed[name] === version,
  );
}

/** Checks a commit out into a folder, installs its packages, and builds it. */
export async function makeRelease(ref: string, folder: string, say: (line: string) => void): Promise<void> {
  say(`Checking ${ref} out …`);
  await runOrThrow("git", ["worktree", "add", "--detach", folder, ref], { cwd: project });
  if (await hasPackagesOf(folder)) {
    say("Copying this folder's packages …");
    await runOrThrow("cp", ["-a", path.join(project, "node_modules"), folder]);
    // The client of Prisma in them belongs to this folder's schema.
    await runOrThrow(NODE, ["server/prisma-client.ts"], { cwd: folder });
  } else {
    say("Installing its packages …");
    await runOrThrow("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: folder });
  }
  await buildRelease(folder, say);
}

export async function buildRelease(folder: string, say: (line: string) => void): Promise<void> {
  say(`Building ${folder} …`);
  await runOrThrow("npm", ["run", "build"], { cwd: folder });
}

export async function removeRelease(folder: string): Promise<void> {
  await runOrThrow("git", ["worktree", "remove", "--force", folder], { cwd: project });
}

/** A process of a release. */
export interface ReleaseProcess {
  url: string;
  /** Sends SIGTERM and waits for the end. @returns the exit code; null after another signal */
  stop: () => Promise<number | null>;
  /** lines of the log at level error, and lines that are no JSON */
  errors: readonly string[];
}

const logLine = z.object({
  level: z.union([z.string(), z.number()]),
  msg: z.string().optional(),
  port: z.int().optional(),
});

function parseLine(line: string): z.infer<typeof logLine> | undefined {
  try {
    return logLine.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Starts a process of the release in a folder and waits until it listens. */
export async function startRelease(folder: string, env: Record<string, string>): Promise<ReleaseProcess> {
  const child = launch(NODE, [path.join(folder, "server/main.ts")], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error("the process has no output");
  let output = "";
  stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const errors: string[] = [];
  const exited = once(child, "exit");
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: stdout }).on("line", (line) => {
      const entry = parseLine(line);
      if (entry === undefined || entry.level === "error" || entry.level === 50) errors.push(line);
      if (entry?.msg === "listening") resolve(entry.port ?? 0);
    });
    exited.then(() => {
      reject(new Error(`the process ended before it listened:\n${output}`));
    }, reject);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      await exited;
      return child.exitCode;
    },
    errors,
  };
}
