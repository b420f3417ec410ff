// `npm run test:citus`: runs tests against a Citus cluster. Arguments go to vitest: `npm run test:citus -- tests/api/add.test.ts`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onEnd, runProgram, say } from "../../bench/lifetime.ts";
import { freshBuild } from "../../server/dev/fresh-build.ts";
import { COMPILE_CACHE } from "../support/app/compile-cache.ts";
import { openCluster } from "./cluster.ts";
import { NoCitusError } from "./installation.ts";

const TOP = fileURLToPath(new URL("../../", import.meta.url));

async function runTests(): Promise<boolean> {
  await freshBuild((message) => {
    say(`${message} …`);
  });
  const cluster = await openCluster("/var/tmp/wishlist-citus-nodes");
  onEnd(cluster.stop);
  say(`Citus: ${cluster.urls.map((url) => new URL(url).host).join(", ")}`);
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "tests/citus/vitest.config.ts"];
  const child = spawn(process.execPath, [...vitest, ...process.argv.slice(2)], {
    cwd: TOP,
    env: { ...COMPILE_CACHE, ...process.env, WISHLIST_TEST_CITUS: cluster.urls.join(" ") },
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  return code === 0;
}

await runProgram(async () => {
  try {
    return await runTests();
  } catch (error) {
    if (!(error instanceof NoCitusError)) throw error;
    say(`${error.message}\nNo test has run.`);
    return false;
  }
});
