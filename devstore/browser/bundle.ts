import { fileURLToPath } from "node:url";
import { build } from "vite";

export const SCRIPTS = ["theme", "app-bridge", "admin"] as const;
export type Script = (typeof SCRIPTS)[number];

/** Classic scripts, as App Bridge must be: it runs before anything else in the page. */
async function bundle(script: Script): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      minify: "esbuild",
      target: "es2022",
      rollupOptions: {
        input: fileURLToPath(new URL(`${script}/main.ts`, import.meta.url)),
        output: { format: "iife" },
      },
    },
  });
  const first = Array.isArray(output) ? output[0] : output;
  if (first === undefined || !("output" in first)) throw new Error(`${script} was not built`);
  return first.output[0].code;
}

/** The devstore's browser scripts, built when they are first asked for. */
export function createBundles(): (script: Script) => Promise<string> {
  const built = new Map<Script, Promise<string>>();
  return async (script) => {
    const code = built.get(script) ?? bundle(script);
    built.set(script, code);
    return code;
  };
}
