// `npm run test:citus`: runs the tests of the API, those of this folder and the fault script against a Citus cluster. Arguments go to vitest, and leave the
// fault script out: `npm run test:citus -- tests/api/add.test.ts`.
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { launch, onEnd, runProgram, say } from "../../bench/lifetime.ts";
import { freshBuild } from "../../server/dev/fresh-build.ts";
import { COMPILE_CACHE } from "../support/app/compile-cache.ts";
import { databaseAt, joinNodes, onEach } from "../support/database/servers.ts";
import { openCluster, type Cluster } from "./cluster.ts";
import { NoCitusError } from "./installation.ts";

const TOP = fileURLToPath(new URL("../../", import.meta.url));

/** Runs a program of the project to its end. @returns whether it succeeded */
async function succeeds(args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const child = launch(process.execPath, args, { cwd: TOP, env, stdio: "inherit" });
  const [code] = await once(child, "exit");
  return code === 0;
}

/** Runs the fault script on a new database of the cluster. Times say little where three servers share a machine, so they do not count. */
async function runFaults({ urls }: Cluster, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [coordinator = ""] = urls;
  const name = "test_faults";
  await onEach(urls, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await onEach(urls, `CREATE DATABASE ${name}`);
  await joinNodes(urls, name);
  const options = ["--quick", "--no-build", "--any-time", "--database-url", databaseAt(coordinator, name)];
  return succeeds(["tests/faults/run.ts", ...options], env);
}

async function runTests(args: readonly string[]): Promise<boolean> {
  await freshBuild((message) => {
    say(`${message} …`);
  });
  const cluster = await openCluster();
  onEnd(cluster.stop);
  say(`Citus: ${cluster.urls.map((url) => new URL(url).host).join(", ")}`);
  const env: NodeJS.ProcessEnv = { ...COMPILE_CACHE, ...process.env, WISHLIST_TEST_CITUS: cluster.urls.join(" ") };
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "tests/citus/vitest.config.ts"];
  const passed = await succeeds([...vitest, ...args], env);
  return args.length > 0 ? passed : (await runFaults(cluster, env)) && passed;
}

await runProgram(async () => {
  try {
    return await runTests(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof NoCitusError)) throw error;
    say(`${error.message}\nNo test has run.`);
    return false;
  }
});
