import { loadBuild } from "./build.ts";
import { fail } from "./fail.ts";
import { prepare } from "./prepare.ts";
import { serve } from "./serve.ts";

/** `npm start`: production. All secrets come from the environment; none is generated. */
try {
  const build = await loadBuild();
  const prepared = await prepare("npm start", { NODE_ENV: "production" }, (message) => {
    process.stderr.write(`${message}\n`);
  });
  try {
    const running = await serve({ build, prepared });
    await running.stopped;
    process.exit(0);
  } catch (error) {
    await prepared.embedded?.close();
    throw error;
  }
} catch (error) {
  await fail(error);
}
