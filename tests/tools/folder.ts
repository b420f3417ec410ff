import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const TOOLS = new URL("../../tools/", import.meta.url);

/** Returns the path of a file in `tools/`. */
export function inTools(name: string): string {
  return fileURLToPath(new URL(name, TOOLS));
}

/** Loads a package that is installed in `tools/`. */
export const toolsRequire = (name: string): unknown => createRequire(new URL("package.json", TOOLS))(name);
