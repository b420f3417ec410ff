import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { build } from "esbuild";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { describe, expect, onTestFinished } from "vitest";
import { z } from "zod";
import { launchBrowser } from "../support/browser/browser.ts";
import { test } from "../support/app/fixtures.ts";
import { exchange, publishKey } from "../support/app/shop.ts";
import { portOf } from "../support/http/ports.ts";
import { scenario, SCENARIO_RESULT, type ScenarioInput } from "./fixtures/scenario.ts";

const run = promisify(execFile);
const TOP = fileURLToPath(new URL("../../", import.meta.url));
const FIXTURES = fileURLToPath(new URL("fixtures/", import.meta.url));
/** The program itself: the script of the same name does not pass on the control stream. */
const { default: WORKERD } = z.object({ default: z.string() }).parse(createRequire(import.meta.url)("workerd"));
const PACKAGES = ["sdk", "react"];

test.override({ shopOptions: { plan: "growth", products: { lamp: "lamp-1", rug: "rug-1" } } });

/** an empty project that has installed the packages as npm would publish them */
let project: string;

test.beforeAll(async () => {
  project = await mkdtemp(path.join(tmpdir(), "wishlist-packages-"));
  await run("npm", ["run", "packages"], { cwd: TOP });
  await run("npm", ["pack", "--pack-destination", project, ...PACKAGES.map((name) => `./packages/${name}`)], {
    cwd: TOP,
  });
  const tarballs = (await readdir(project)).map((name) => `./${name}`);
  await writeFile(path.join(project, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  // Their only peer, React, is not needed here.
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--legacy-peer-deps", ...tarballs], {
    cwd: project,
  });
  await cp(FIXTURES, project, { recursive: true });
});
test.afterAll(() => rm(project, { recursive: true, force: true }));

async function bundle(entry: string, external: string[] = []): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: project, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
    external,
  });
  return outputFiles.map((file) => file.text).join("");
}

/** Opens a page of another origin in Chromium, with a script. */
async function openPage(entry: string): Promise<{ page: Page; origin: string }> {
  const script = await bundle(entry);
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : '<!doctype html><script type="module" src="/page.js"></script>');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const browser = await launchBrowser();
  onTestFinished(async () => {
    await browser.close();
    server.close();
  });
  const origin = `http://127.0.0.1:${portOf(server)}`;
  const page = await browser.newPage();
  await page.goto(origin);
  return { page, origin };
}

describe("the size, minified and compressed, is at most", () => {
  test.for([
    ["@wishlist-headless/sdk", 5_000, []],
    ["@wishlist-headless/sdk/webhooks", 1_500, []],
    ["@wishlist-headless/sdk/server", 1_000, []],
    ["@wishlist-headless/react", 4_000, ["react", "@wishlist-headless/sdk"]],
  ] as const)("of %s %i bytes", async ([name, limit, external]) => {
    const script = await bundle(`export * from "${name}";`, [...external]);
    expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(limit);
  });
});

describe.for(PACKAGES)("the package %s", (name) => {
  test("has no dependencies", async () => {
    const manifest: unknown = JSON.parse(await readFile(path.join(TOP, "packages", name, "package.json"), "utf8"));
    expect(manifest).not.toHaveProperty("dependencies");
  });

  test("is packed as publint requires", async () => {
    const { messages, pkg } = await publint({ pkgDir: path.join(TOP, "packages", name), strict: true, pack: "npm" });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test("has types that every module resolution finds, CommonJS apart", async () => {
    const tarball = (await readdir(project)).find((file) => file.includes(`-${name}-`)) ?? "";
    const data = new Uint8Array(await readFile(path.join(project, tarball)));
    const analysis = await checkPackage(createPackageFromTarballData(data));
    // The packages are ES modules, which CommonJS can require from Node 20.19 on.
    const problems = analysis.types === false ? ["no types"] : analysis.problems;
    expect(
      problems.filter(
        (problem) =>
          typeof problem === "string" ||
          !("resolutionKind" in problem && ["node10", "node16-cjs"].includes(problem.resolutionKind)),
      ),
    ).toEqual([]);
  });
});

test.for([
  ["NodeNext", "nodenext"],
  ["ESNext", "bundler"],
] as const)("a program with the module resolution of %s compiles", async ([module, moduleResolution]) => {
  const compilerOptions = {
    module,
    moduleResolution,
    target: "ES2022",
    lib: ["ES2022", "DOM"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  const config = path.join(project, `tsconfig.${moduleResolution}.json`);
  await writeFile(config, JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  const compiler = path.join(TOP, "node_modules/typescript/bin/tsc");
  const result = await run(process.execPath, [compiler, "-p", config]).catch((error: unknown) => error);
  expect(result).toMatchObject({ stdout: "" });
});

describe("the same calls have the same results", () => {
  let input: Required<ScenarioInput>;

  test.beforeAll(async ({ app, call, shop }) => {
    const key = await publishKey(shop, ["http://127.0.0.1", "https://www.shop.example"]);
    input = {
      url: await app.listen(),
      publishableKey: key,
      origin: "https://www.shop.example",
      customerToken: await exchange(call, shop, { customer_id: "7001" }),
      webhook: {
        secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        body: '{"test": 2432232314}',
        headers: {
          "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
          "webhook-timestamp": "1614265330",
          "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        },
      },
    };
  });

  test("from the sources", async () => {
    expect(await scenario(input)).toEqual(SCENARIO_RESULT);
  });

  test("in Node", async () => {
    const program = await bundle(
      `import { scenario } from "./scenario.ts"; console.log(JSON.stringify(await scenario(${JSON.stringify(input)})));`,
      ["@wishlist-headless/*"],
    );
    await writeFile(path.join(project, "program.mjs"), program);
    const { stdout } = await run(process.execPath, ["program.mjs"], { cwd: project });
    expect(JSON.parse(stdout)).toEqual(SCENARIO_RESULT);
  });

  test("in Chromium, across origins", async ({ shop }) => {
    const { page, origin } = await openPage(
      `import { scenario } from "./scenario.ts"; Object.assign(window, { scenario });`,
    );
    const { origin: _, ...rest } = { ...input, publishableKey: await publishKey(shop, [origin]) };
    const result = await page.evaluate(`scenario(${JSON.stringify(rest)})`);
    expect(result).toEqual(SCENARIO_RESULT);
  });

  test("in workerd", async () => {
    const worker = await bundle(`
      import { scenario } from "./scenario.ts";
      export default {
        async fetch(request) { return Response.json(await scenario(await request.json())); },
      };`);
    await writeFile(path.join(project, "worker.js"), worker);
    await writeFile(
      path.join(project, "worker.capnp"),
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
    const process = spawn(WORKERD, ["serve", "--control-fd=3", path.join(project, "worker.capnp")], {
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
    const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: JSON.stringify(input) });
    const body = await response.text();
    expect(body).toBe(JSON.stringify(SCENARIO_RESULT));
  });
});

test("batches that a page sends at the same moment all arrive", async ({ app, call, shop }) => {
  const { page } = await openPage(
    `import { createClient } from "@wishlist-headless/sdk"; Object.assign(window, { createClient });`,
  );
  const [url, credentials] = [await app.listen(), await exchange(call, shop, { customer_id: "7002" })];
  const added = await page.evaluate(`(async () => {
    const client = createClient({ url: ${JSON.stringify(url)}, credentials: ${JSON.stringify(credentials)}, retries: 0 });
    const operations = Array.from({ length: 250 }, (_, i) => ({ op: "add", productId: String(8e12 + i), variantId: "1" }));
    const sent = Array.from({ length: 8 }, () => client.changeListItems({ listId: "default", operations }));
    return (await Promise.all(sent)).at(-1).itemCount;
  })()`);
  expect(added).toBe(250);
});
