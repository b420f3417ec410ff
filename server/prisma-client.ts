import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { deleteUnusedFiles } from "./unused-files.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** the generated client that `@prisma/client` loads */
const CLIENT = path.join(ROOT, "node_modules/.prisma/client");
/** the copy that `npm run build` makes */
const BUILT_CLIENT = path.join(ROOT, "build/prisma-client");

async function exists(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  );
}

/** Returns the path of Prisma's command line, or undefined without development dependencies. */
function prismaCli(): string | undefined {
  try {
    return fileURLToPath(import.meta.resolve("prisma/build/index.js"));
  } catch {
    return undefined;
  }
}

/** Copies the generated client from the build, unless it exists. @returns false when the build has none either */
export async function copyBuiltClient(): Promise<boolean> {
  if (await exists(CLIENT)) return true;
  if (!(await exists(BUILT_CLIENT))) return false;
  await cp(BUILT_CLIENT, CLIENT, { recursive: true });
  return true;
}

/**
 * `npm ci`: generates the client if Prisma's command line is installed, and otherwise copies the one of the build. Deletes what the packages
 * have for others.
 */
async function install(): Promise<void> {
  const prisma = prismaCli();
  await deleteUnusedFiles(prisma !== undefined);
  if (prisma !== undefined) {
    const child = spawn(process.execPath, [prisma, "generate"], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    await once(child, "close");
    process.exitCode = child.exitCode ?? 1;
    // Prisma warns of a missing OpenSSL, which only its engines need; this project has none of them.
    if (process.exitCode !== 0) process.stderr.write(output);
    return;
  }
  if (!(await copyBuiltClient())) {
    process.stdout.write(
      "The app is not built yet. Before `npm start`, run `npm run build` with all dependencies installed.\n",
    );
  }
}

if (import.meta.main) await install();
