import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

const execute = promisify(execFile);
const project = fileURLToPath(new URL("../../", import.meta.url));
const NODE = path.join(project, "node_modules/.bin/node");
const BIG_OUTPUT = { maxBuffer: 1 << 26 };

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
  await execute("git", ["worktree", "add", "--detach", folder, ref], { cwd: project });
  if (await hasPackagesOf(folder)) {
    say("Copying this folder's packages …");
    await execute("cp", ["-a", path.join(project, "node_modules"), folder]);
    // The client of Prisma in them belongs to this folder's schema.
    await execute(NODE, ["server/prisma-client.ts"], { cwd: folder, ...BIG_OUTPUT });
  } else {
    say("Installing its packages …");
    await execute("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: folder, ...BIG_OUTPUT });
  }
  await buildRelease(folder, say);
}

export async function buildRelease(folder: string, say: (line: string) => void): Promise<void> {
  say(`Building ${folder} …`);
  await execute("npm", ["run", "build"], { cwd: folder, ...BIG_OUTPUT });
}

export async function removeRelease(folder: string): Promise<void> {
  await execute("git", ["worktree", "remove", "--force", folder], { cwd: project });
}

/** A process of a release. */
export interface ReleaseProcess {
  url: string;
  /** Sends SIGTERM and waits for the end. @returns the exit code */
  stop: () => Promise<number | null>;
  kill: () => void;
  /** lines of the log at level error */
  errors: () => string[];
}

const logLine = z.object({
  level: z.union([z.string(), z.number()]),
  msg: z.string().optional(),
  port: z.int().optional(),
});

/** Starts a process of the release in a folder and waits until it listens. */
export async function startRelease(folder: string, env: Record<string, string>): Promise<ReleaseProcess> {
  const child: ChildProcess = spawn(NODE, [path.join(folder, "server/main.ts")], {
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
      const entry = logLine.safeParse(JSON.parse(line)).data;
      if (entry?.level === "error" || entry?.level === 50) errors.push(line);
      if (entry?.msg === "listening") resolve(entry.port ?? 0);
    });
    void exited.then(() => {
      reject(new Error(`the process ended before it listened:\n${output}`));
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      await exited;
      return child.exitCode;
    },
    kill: () => child.kill("SIGKILL"),
    errors: () => errors,
  };
}
