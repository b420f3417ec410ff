import { fileURLToPath } from "node:url";

/** Where Node keeps what it has compiled, so that a process starts with a third less work than the first of its kind. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../../node_modules/.cache/compile", import.meta.url)),
};
