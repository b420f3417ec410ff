import { fileURLToPath } from "node:url";

export const SCRIPTS = [
  "theme",
  "app-bridge",
  "admin",
  "customer-account",
  "customer-account-worker",
  "consent-tracking-api",
] as const;
export type Script = (typeof SCRIPTS)[number];

async function bundle(script: Script): Promise<string> {
  // Loading esbuild takes longer than starting a devstore that serves no scripts.
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`${script}/main.ts`, import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    // App Bridge must be a classic script: it runs before anything else in the page.
    format: "iife",
    target: "es2022",
    charset: "utf8",
    logLevel: "silent",
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`${script} was not built`);
  return file.text;
}

/** Returns a function that bundles a browser script on its first request. */
export function createBundles(): (script: Script) => Promise<string> {
  const built = new Map<Script, Promise<string>>();
  return async (script) => {
    const code = built.get(script) ?? bundle(script);
    built.set(script, code);
    return code;
  };
}
