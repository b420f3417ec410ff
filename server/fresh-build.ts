import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { glob, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const TOP = new URL("../", import.meta.url);
const STAMP = new URL("build/.inputs", TOP);
const INPUTS = ["app/**/*.{ts,tsx,css}", "vite.config.ts", "package-lock.json"];

/** What the build is made of, as one hash. */
async function inputs(): Promise<string> {
  const hash = createHash("sha256");
  const files: string[] = [];
  for await (const file of glob(INPUTS, { cwd: fileURLToPath(TOP) })) files.push(file);
  for (const file of files.sort()) hash.update(file).update(await readFile(new URL(file, TOP)));
  return hash.digest("hex");
}

/** Runs `npm run build` unless the build is of these very sources. */
export async function freshBuild(onProgress: (message: string) => void): Promise<void> {
  const wanted = await inputs();
  const found = await readFile(STAMP, "utf8").catch(() => "");
  if (found === wanted) return;
  onProgress("Building the app");
  const child = spawn("npm", ["run", "--silent", "build"], { cwd: TOP, stdio: ["ignore", "pipe", "pipe"] });
  const abandon = (): void => {
    child.kill();
  };
  process.once("exit", abandon);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the build failed:\n${output}`));
    });
  });
  process.off("exit", abandon);
  await writeFile(STAMP, wanted);
}
