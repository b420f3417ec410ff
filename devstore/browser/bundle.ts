import { Worker } from "node:worker_threads";
import { z } from "zod";

export const SCRIPTS = ["theme", "app-bridge", "admin"] as const;
export type Script = (typeof SCRIPTS)[number];

function bundle(script: Script): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("bundle-worker.ts", import.meta.url), { workerData: script });
    // A devstore that is closed meanwhile does not wait for it.
    worker.unref();
    worker.on("message", (code) => {
      resolve(z.string().parse(code));
    });
    worker.on("error", reject);
  });
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
