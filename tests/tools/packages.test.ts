import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { describe, expect, onTestFinished } from "vitest";
import { z } from "zod";
import { SCENARIO_RESULT } from "../packages/fixtures/scenario.ts";
import { test } from "../support/app/fixtures.ts";
import { installPackages, PACKAGES, type Installation } from "../support/packages/installation.ts";
import { scenarioInput } from "../support/packages/scenario-input.ts";
import { inTools, toolsRequire } from "./folder.ts";

const run = promisify(execFile);
/** The program itself: the script of the same name does not pass on the control stream. */
const { default: WORKERD } = z.object({ default: z.string() }).parse(toolsRequire("workerd"));

test.override({ shopOptions: { plan: "growth", products: { lamp: "lamp-1", rug: "rug-1" } } });

let project: Installation;

test.beforeAll(async () => {
  project = await installPackages();
});
test.afterAll(() => project.remove());

describe.for(PACKAGES)("the package %s", (name) => {
  test("has types that every module resolution finds, CommonJS apart", async () => {
    const attw = inTools("node_modules/@arethetypeswrong/cli/dist/index.js");
    // The packages are ES modules, which CommonJS can require from Node 20.19 on.
    const args = [attw, project.tarball(name), "--profile", "esm-only", "--format", "json"];
    // It exits with 1 when it finds a problem, but not when there are no types.
    const { stdout } = await run(process.execPath, args);
    expect(JSON.parse(stdout)).toMatchObject({ analysis: { types: { kind: "included" } } });
  });
});

test("the scenario has the same result in workerd as in Node", async ({ app, call, shop }) => {
  const worker = await project.bundle(`
    import { scenario } from "./scenario.ts";
    export default {
      async fetch(request) { return Response.json(await scenario(await request.json())); },
    };`);
  await writeFile(path.join(project.folder, "worker.js"), worker);
  await writeFile(
    path.join(project.folder, "worker.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
     const config :Workerd.Config = (
       services = [
         (name = "main", worker = (
           modules = [(name = "worker.js", esModule = embed "worker.js")], compatibilityDate = "2026-10-01")),
         (name = "internet", network = (allow = ["local"])),
       ],
       sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
     );`,
  );
  const process = spawn(WORKERD, ["serve", "--control-fd=3", path.join(project.folder, "worker.capnp")], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  onTestFinished(async () => {
    process.kill();
    if (process.exitCode === null && process.signalCode === null) await once(process, "exit");
  });
  const control = process.stdio[3];
  if (!control) throw new Error("workerd has no control stream");
  const [listening] = await Promise.race([
    once(control, "data"),
    once(process, "exit").then(async () => {
      throw new Error(`workerd ended: ${process.stderr ? await text(process.stderr) : ""}`);
    }),
  ]);
  const { port } = z.object({ port: z.number() }).parse(JSON.parse(String(listening)));
  const input = await scenarioInput(app, call, shop);
  const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: JSON.stringify(input) });
  const body = await response.text();
  expect(body).toBe(JSON.stringify(SCENARIO_RESULT));
});
