import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { glob, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { StartError } from "../fail.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
// Every build empties this folder, so the stamp disappears with the build that it describes. `npm run build` writes none.
const STAMP = path.join(ROOT, "build/server/.inputs");
const INPUTS = [
  "app/**",
  "storefront-browser/**",
  "public/**",
  "vite.config.ts",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];

/** Hashes the inputs of the build. */
async function hashInputs(): Promise<string> {
  const hash = createHash("sha256");
  const files: string[] = [];
  for await (const entry of glob(INPUTS, { cwd: ROOT, withFileTypes: true })) {
    if (entry.isFile()) files.push(path.join(entry.parentPath, entry.name));
  }
  const contents = await Promise.all(files.sort().map(async (file) => ({ file, content: await readFile(file) })));
  for (const { file, content } of contents) hash.update(path.relative(ROOT, file)).update("\0").update(content);
  return hash.digest("hex");
}

/**
 * Builds the app unless the build is up to date. The build ends when this process ends, even by a kill. The only difference from
 * `npm run build`: the compressed copies of assets are a little larger.
 */
export async function freshBuild(onProgress: (message: string) => void): Promise<void> {
  const currentHash = await hashInputs();
  const builtHash = await readFile(STAMP, "utf8").catch(() => "");
  if (builtHash === currentHash) return;
  onProgress("Building the app");
  // A build that is killed while it empties the folder must not leave the stamp.
  await rm(STAMP, { force: true });
  await build();
  await writeFile(STAMP, currentHash);
}

/** Runs the build as a direct child process that exits when its parent is gone. */
async function build(): Promise<void> {
  const exitWithParent = "process.on('disconnect', () => process.exit(1)); process.channel.unref();";
  const compressFast = "process.env.BUILD_COMPRESSION = 'fast';";
  const remix = fileURLToPath(import.meta.resolve("@remix-run/dev/dist/cli.js"));
  // The default of 16 MB makes garbage collection a fifth of the build.
  const nodeOptions = [
    "--max-semi-space-size=64",
    "--import",
    `data:text/javascript,${encodeURIComponent(exitWithParent + compressFast)}`,
  ];
  const child = spawn(process.execPath, [...nodeOptions, remix, "vite:build"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const killBuild = (): void => {
    child.kill("SIGKILL");
  };
  process.once("exit", killBuild);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  await new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new StartError(`The build failed:\n${output.trim()}`));
    });
  });
  process.off("exit", killBuild);
}
