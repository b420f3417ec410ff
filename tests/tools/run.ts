// `npm run test:tools`: builds the app and runs the tests of this folder, whose programs `npm ci --prefix tools` installs. Arguments go to vitest.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { freshBuild } from "../../server/dev/fresh-build.ts";
import { COMPILE_CACHE } from "../support/app/compile-cache.ts";
import { inTools } from "./folder.ts";

const TOP = fileURLToPath(new URL("../../", import.meta.url));

if (existsSync(inTools("node_modules/newman"))) {
  await freshBuild((message) => process.stdout.write(`${message} …\n`));
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "tests/tools/vitest.config.ts"];
  const env: NodeJS.ProcessEnv = { ...COMPILE_CACHE, ...process.env };
  const child = spawn(process.execPath, [...vitest, ...process.argv.slice(2)], { cwd: TOP, env, stdio: "inherit" });
  const [code] = await once(child, "exit");
  process.exitCode = code === 0 ? 0 : 1;
} else {
  process.stderr.write("The programs of these tests are not installed. Run `npm ci --prefix tools`.\n");
  process.exitCode = 2;
}
