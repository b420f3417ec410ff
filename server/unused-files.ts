import { glob, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../node_modules/", import.meta.url));

/** Prisma's query compilers: five databases, two sizes each. */
const QUERY_COMPILERS = "{prisma/build,@prisma/client/runtime}/query_compiler_*";
/** `prisma generate` copies the ones of this prefix into the client. */
const OUR_QUERY_COMPILER = "query_compiler_fast_bg.postgresql.";
/** Headers and documentation of Node.js. The package `node` has a link to the program in its own `bin`. */
const NODE_DISTRIBUTION = "node/node_modules";

/**
 * Deletes files of installed packages that are never read: 150 MB.
 * @param generates whether `prisma generate` runs in this installation
 */
export async function deleteUnusedFiles(generates: boolean): Promise<void> {
  for await (const file of glob(QUERY_COMPILERS, { cwd: PACKAGES })) {
    if (generates && path.basename(file).startsWith(OUR_QUERY_COMPILER)) continue;
    await rm(path.join(PACKAGES, file));
  }
  await rm(path.join(PACKAGES, NODE_DISTRIBUTION), { recursive: true, force: true });
}
