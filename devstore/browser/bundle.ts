import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const SCRIPTS = ["theme", "app-bridge", "admin"] as const;
export type Script = (typeof SCRIPTS)[number];

async function bundle(script: Script): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`${script}/main.ts`, import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    // A classic script, as App Bridge must be: it runs before anything else in the page.
    format: "iife",
    target: "es2022",
    charset: "utf8",
    logLevel: "silent",
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`${script} was not built`);
  return file.text;
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
