import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { build } from "vite";
import { z } from "zod";

// In a thread of its own: Vite sets NODE_ENV to production for all of its process, and blocks it for a while.

const script = z.string().parse(workerData);
const output = await build({
  configFile: false,
  logLevel: "silent",
  build: {
    write: false,
    minify: "esbuild",
    target: "es2022",
    rollupOptions: {
      input: fileURLToPath(new URL(`${script}/main.ts`, import.meta.url)),
      // A classic script, as App Bridge must be: it runs before anything else in the page.
      output: { format: "iife" },
    },
  },
});
const first = Array.isArray(output) ? output[0] : output;
if (first === undefined || !("output" in first)) throw new Error(`${script} was not built`);
parentPort?.postMessage(first.output[0].code);
