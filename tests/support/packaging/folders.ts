import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { freePort } from "../http/ports.ts";
import { parseDockerfile, type Instruction } from "./dockerfile.ts";
import { expect, ready, run, say, SECRETS, TOP } from "./steps.ts";

/** Commands that change the system: they need a container. */
const SYSTEM = /^(?:apt-get|useradd|install|ln) /;

/** Returns the files that Docker would send: of those in Git, what .dockerignore does not leave out. */
function copyContext(to: string): void {
  const patterns = readFileSync(`${TOP}.dockerignore`, "utf8").split("\n");
  const named = patterns.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
  const left = patterns.filter((line) => /^\w/.test(line));
  const within = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`);
  for (const file of run("git", ["ls-files"]).split("\n")) {
    if (!named.some((folder) => within(file, folder)) || left.some((folder) => within(file, folder))) continue;
    cpSync(path.join(TOP, file), path.join(to, file));
  }
}

/** Runs an instruction as if `root` were the root folder, and /app the working folder. */
function apply({ keyword, text }: Instruction, root: string, stages: ReadonlyMap<string, string>): void {
  const app = path.join(root, "app");
  if (keyword === "COPY") {
    const words = text.split(" ");
    const from = words[0]?.startsWith("--from=") ? words.shift()?.slice("--from=".length) : undefined;
    const target = words.pop() ?? "";
    const source = from === undefined ? (stages.get("context") ?? "") : (stages.get(from) ?? "");
    // Node.js and other files of the system: the ones of this machine are used.
    if (words.some((word) => word.startsWith("/usr/"))) return;
    for (const word of words) {
      const name = target.endsWith("/") ? path.join(target, path.basename(word)) : target;
      const into = word === "." ? app : path.resolve(app, name);
      cpSync(path.join(source, word), into, { recursive: true, verbatimSymlinks: true });
    }
  }
  if (keyword !== "RUN") return;
  for (const command of text
    .replace(/^--mount=\S+ /, "")
    .split(" && ")
    .map((one) => one.trim())) {
    if (SYSTEM.test(command) || command.includes("/var/")) continue;
    say(`  ${command}`);
    run("sh", ["-c", command.replaceAll(" /embedded", ` ${root}/embedded`)], { cwd: app });
  }
}

/** Runs the Dockerfile's commands in a clean folder for each stage, then the service until SIGTERM. */
export async function runInFolders(): Promise<void> {
  const top = mkdtempSync(path.join(tmpdir(), "wishlist-packaging-"));
  try {
    const stages = new Map([["context", path.join(top, "context")]]);
    copyContext(path.join(top, "context"));
    let command: string[] = [];
    for (const { name, from, instructions } of parseDockerfile(readFileSync(`${TOP}Dockerfile`, "utf8")).stages) {
      say(`Stage ${name}`);
      const root = path.join(top, name);
      stages.set(name, root);
      mkdirSync(path.join(root, "app"), { recursive: true });
      const base = stages.get(from);
      if (base !== undefined) cpSync(base, root, { recursive: true, verbatimSymlinks: true });
      for (const instruction of instructions) {
        apply(instruction, root, stages);
        if (instruction.keyword === "CMD") command = z.array(z.string()).parse(JSON.parse(instruction.text));
      }
    }
    await serve(path.join(top, "complete/app"), command, path.join(top, "data"));
    say("The image's commands work.");
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

async function serve(app: string, [, ...args]: readonly string[], dataDir: string): Promise<void> {
  const port = String(await freePort());
  const env = { PATH: process.env["PATH"], NODE_ENV: "production" as const, DATA_DIR: dataDir, PORT: port, ...SECRETS };
  say(`  node ${args.join(" ")}`);
  const child = spawn(process.execPath, args, { cwd: app, env, stdio: "inherit" });
  const ended = once(child, "exit");
  try {
    await ready(`http://127.0.0.1:${port}`, () => child.exitCode === null && child.signalCode === null);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
  expect(
    child.exitCode === 0,
    `the service ended with ${child.exitCode ?? child.signalCode ?? "nothing"} after SIGTERM`,
  );
}
