import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { glob, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { StartError } from "../fail.ts";

const TOP = fileURLToPath(new URL("../../", import.meta.url));
// Every build empties this folder, so the stamp lasts no longer than the build that it speaks of.
const STAMP = path.join(TOP, "build/server/.inputs");
const INPUTS = [
  "app/**",
  "storefront-browser/**",
  "public/**",
  "vite.config.ts",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];

/** What the build is made of, as one hash. */
async function inputs(): Promise<string> {
  const hash = createHash("sha256");
  const files: string[] = [];
  for await (const entry of glob(INPUTS, { cwd: TOP, withFileTypes: true })) {
    if (entry.isFile()) files.push(path.join(entry.parentPath, entry.name));
  }
  for (const file of files.sort())
    hash
      .update(path.relative(TOP, file))
      .update("\0")
      .update(await readFile(file));
  return hash.digest("hex");
}

/** Builds the app unless the build is of these very sources. It ends together with this process, however that ends. */
export async function freshBuild(onProgress: (message: string) => void): Promise<void> {
  const wanted = await inputs();
  const found = await readFile(STAMP, "utf8").catch(() => "");
  if (found === wanted) return;
  onProgress("Building the app");
  await build();
  await writeFile(STAMP, wanted);
}

/** `npm run build`, as a direct child that notices when its parent is gone. */
async function build(): Promise<void> {
  const notices = "process.on('disconnect', () => process.exit(1)); process.channel.unref();";
  const remix = fileURLToPath(import.meta.resolve("@remix-run/dev/dist/cli.js"));
  const args = ["--import", `data:text/javascript,${encodeURIComponent(notices)}`, remix, "vite:build"];
  const child = spawn(process.execPath, args, { cwd: TOP, stdio: ["ignore", "pipe", "pipe", "ipc"] });
  const abandon = (): void => {
    child.kill("SIGKILL");
  };
  process.once("exit", abandon);
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
  process.off("exit", abandon);
}
