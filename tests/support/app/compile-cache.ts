import { fileURLToPath } from "node:url";

/** Folder of Node's compile cache, which saves a third of a process's start. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../../node_modules/.cache/compile", import.meta.url)),
};
