import { flushCompileCache } from "node:module";
import { log } from "../app/platform/log/log.server.ts";
import { loadBuild } from "./build.ts";
import { fail } from "./fail.ts";
import { prepare } from "./prepare.ts";
import { serve } from "./serve.ts";

/** `npm start`: production. All secrets come from the environment; none is generated. */
try {
  const build = await loadBuild();
  const prepared = await prepare("npm start", { NODE_ENV: "production" }, (message) => {
    log.info({}, message);
  });
  try {
    build.entry.module.service.logConsole();
    const running = await serve({ build, prepared });
    // Otherwise Node writes NODE_COMPILE_CACHE at the end, and a process that is killed leaves its successor to compile everything again.
    flushCompileCache();
    await running.stopped;
    process.exit(0);
  } catch (error) {
    await prepared.embedded?.close();
    throw error;
  }
} catch (error) {
  await fail(error);
}
