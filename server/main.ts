import { loadBuild } from "./build.ts";
import { fail } from "./fail.ts";
import { prepare, serve } from "./serve.ts";

/** `npm start`: production. Secrets and settings come from the environment, and nothing is made up. */
try {
  const { defaults, embedded } = await prepare("npm start", { NODE_ENV: "production" }, (message) => {
    process.stderr.write(`${message}\n`);
  });
  const running = await serve({ build: await loadBuild(), defaults, embedded });
  await running.stopped;
  process.exit(0);
} catch (error) {
  fail(error);
}
