import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

const TSC = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
/** tsc prints its errors on its standard output */
const failedCommand = z.object({ stdout: z.string() });

/** The settings of a reader's project: those of `tsc --init`, which is stricter than `strict`. */
const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  noImplicitReturns: true,
  noImplicitOverride: true,
  noUncheckedSideEffectImports: true,
  moduleDetection: "force",
  skipLibCheck: true,
};

/**
 * Type-checks files of a folder with the SDK's sources.
 * @param paths modules that are not installed here, with the files that declare them
 * @returns the compiler's errors
 */
export async function typeErrors(
  folder: string,
  files: readonly string[],
  paths: Readonly<Record<string, readonly string[]>> = {},
): Promise<string> {
  const compilerOptions = {
    ...STRICT,
    noEmit: true,
    jsx: "react-jsx",
    module: "preserve",
    target: "esnext",
    lib: ["esnext", "dom", "dom.iterable"],
    types: ["node"],
    resolveJsonModule: true,
    allowImportingTsExtensions: true,
    customConditions: ["@wishlist-headless/source"],
    paths,
  };
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const { stdout } = await promisify(execFile)(process.execPath, [TSC, "--project", folder], { cwd: folder }).catch(
    (error: unknown) => failedCommand.parse(error),
  );
  return stdout;
}
