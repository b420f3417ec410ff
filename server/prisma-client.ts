import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const TOP = fileURLToPath(new URL("../", import.meta.url));
/** where `@prisma/client` looks for the client of the schema */
const CLIENT = path.join(TOP, "node_modules/.prisma/client");
/** where `npm run build` puts a copy */
const BUILT = path.join(TOP, "build/prisma-client");
/** what the generator takes from the package: the query compilers of five databases, two sizes each */
const RUNTIME = path.join(TOP, "node_modules/@prisma/client/runtime");

async function exists(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  );
}

/** The Prisma command line, which is a development dependency. */
function generator(): string | undefined {
  try {
    return fileURLToPath(import.meta.resolve("prisma/build/index.js"));
  } catch {
    return undefined;
  }
}

/** Takes the generated client from the build, unless there is one. @returns false when there is neither */
export async function takeBuiltClient(): Promise<boolean> {
  if (await exists(CLIENT)) return true;
  if (!(await exists(BUILT))) return false;
  await cp(BUILT, CLIENT, { recursive: true });
  return true;
}

/** `npm ci`: generates the client where the Prisma command line is installed, and otherwise takes the one of the build. */
async function install(): Promise<void> {
  const prisma = generator();
  if (prisma !== undefined) {
    const child = spawn(process.execPath, [prisma, "generate"], { cwd: TOP, stdio: "inherit" });
    await once(child, "exit");
    process.exitCode = child.exitCode ?? 1;
    return;
  }
  // Only the generator reads them, and they are 65 MB.
  for (const name of await readdir(RUNTIME)) {
    if (name.startsWith("query_compiler_")) await rm(path.join(RUNTIME, name));
  }
  if (!(await takeBuiltClient())) {
    process.stdout.write(
      "There is no build yet. `npm start` needs build/, made by `npm run build` with all dependencies.\n",
    );
  }
}

if (import.meta.main) await install();
