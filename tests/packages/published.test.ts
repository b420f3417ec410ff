import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
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
import { installPackages, PACKAGES, type Installation } from "../support/packages/installation.ts";
import { scenarioInput } from "../support/packages/scenario-input.ts";
import { scenario, SCENARIO_RESULT, type ScenarioInput } from "./fixtures/scenario.ts";

const run = promisify(execFile);
const TOP = fileURLToPath(new URL("../../", import.meta.url));

test.override({ shopOptions: { plan: "growth", products: { lamp: "lamp-1", rug: "rug-1" } } });

let project: Installation;

test.beforeAll(async () => {
  project = await installPackages();
});
test.afterAll(() => project.remove());

const manifest = z.looseObject({
  version: z.string(),
  repository: z.unknown(),
  peerDependencies: z.unknown().optional(),
});

async function manifestOf(name: string): Promise<z.infer<typeof manifest>> {
  return manifest.parse(JSON.parse(await readFile(path.join(TOP, "packages", name, "package.json"), "utf8")));
}

/** Returns where a package is in a project. */
function installed(name: string): string {
  return `node_modules/@wishlist-headless/${name}`;
}

/** Opens a page of another origin in Chromium, with a script. */
async function openPage(entry: string): Promise<{ page: Page; origin: string }> {
  const script = await project.bundle(entry);
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
    ["@wishlist-headless/sdk", 5_200, []],
    ["@wishlist-headless/sdk/webhooks", 1_500, []],
    ["@wishlist-headless/sdk/server", 1_000, []],
    ["@wishlist-headless/react", 5_100, ["react", "@wishlist-headless/sdk"]],
  ] as const)("of %s %i bytes", async ([name, limit, external]) => {
    const script = await project.bundle(`export * from "${name}";`, external);
    expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(limit);
  });
});

describe.for(PACKAGES)("the package %s", (name) => {
  test("has no dependencies", async () => {
    expect(await manifestOf(name)).not.toHaveProperty("dependencies");
  });

  test("contains what a developer reads: a README, a changelog, and where its sources are", async () => {
    const { repository, version } = await manifestOf(name);
    expect(repository).toMatchObject({ directory: `packages/${name}` });
    const { stdout } = await run("tar", ["--list", "--file", project.tarball(name)]);
    expect(stdout.split("\n")).toEqual(expect.arrayContaining(["package/README.md", "package/CHANGELOG.md"]));
    const changelog = await readFile(path.join(project.folder, installed(name), "CHANGELOG.md"), "utf8");
    // A version that is released has its entry.
    expect(changelog).toMatch(new RegExp(String.raw`^## \[(?:Unreleased|${version})\]`, "m"));
  });

  test("is packed as publint requires", async () => {
    const { messages, pkg } = await publint({ pkgDir: path.join(TOP, "packages", name), strict: true, pack: "npm" });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });
});

test("the React package takes every release of the SDK that breaks nothing", async () => {
  const { version } = await manifestOf("sdk");
  const { peerDependencies } = await manifestOf("react");
  expect(peerDependencies).toMatchObject({ "@wishlist-headless/sdk": `^${version}` });
});

test("the React package is a client module, whose names frameworks with server components can read", async () => {
  const entry = await readFile(path.join(project.folder, installed("react"), "dist/index.js"), "utf8");
  expect(entry).toMatch(/^"use client";/);
  expect(entry).not.toContain("export *");
});

test("a server names the SDK and Node in each request, and reads the headers of a success", async ({ app, shop }) => {
  const url = await app.listen();
  const program = `import { createClient } from "@wishlist-headless/sdk";
    import { serverCredentials } from "@wishlist-headless/sdk/server";
    const agents = [];
    const client = createClient({
      url: ${JSON.stringify(url)},
      credentials: serverCredentials(${JSON.stringify({ apiKey: shop.keyId, apiSecret: shop.secret })}),
      fetch: (url, init) => (agents.push(new Request(url, init).headers.get("user-agent")), fetch(url, init)),
    });
    const { data, response } = await client.wishlists.items.add({ customerId: "7003", product_id: "lamp" }).withResponse();
    const failed = await client.webhooks.get({ webhookId: "whk_unknown" }).withResponse().catch(({ code }) => code);
    await client.lists.list({ customerId: "7003" });
    const again = await client.lists.list({ customerId: "7003" }).withResponse();
    const { headers } = response;
    const result = { agents, added: data.added, limit: headers.has("ratelimit"), id: headers.get("x-request-id"), failed };
    console.log(JSON.stringify({ ...result, status: again.response.status, lists: again.data.lists.length }));`;
  await writeFile(path.join(project.folder, "headers.mjs"), program);
  const { stdout } = await run(process.execPath, ["headers.mjs"], { cwd: project.folder });
  const { version } = await manifestOf("sdk");
  const agent = `wishlist-headless-sdk/${version} node/${process.versions.node}`;
  expect(JSON.parse(stdout)).toEqual({
    // The exchange of the key, and four calls.
    agents: Array.from({ length: 5 }, () => agent),
    added: true,
    limit: true,
    id: expect.stringMatching(/^req_/),
    failed: "webhook_not_found",
    status: 304,
    lists: 1,
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
  const config = path.join(project.folder, `tsconfig.${moduleResolution}.json`);
  await writeFile(config, JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  const compiler = path.join(TOP, "node_modules/typescript/bin/tsc");
  const result = await run(process.execPath, [compiler, "-p", config]).catch((error: unknown) => error);
  expect(result).toMatchObject({ stdout: "" });
});

describe("the same calls have the same results", () => {
  let input: Required<ScenarioInput>;

  test.beforeAll(async ({ app, call, shop }) => {
    input = await scenarioInput(app, call, shop);
  });

  test("from the sources", async () => {
    expect(await scenario(input)).toEqual(SCENARIO_RESULT);
  });

  test("in Node", async () => {
    const program = await project.bundle(
      `import { scenario } from "./scenario.ts"; console.log(JSON.stringify(await scenario(${JSON.stringify(input)})));`,
      ["@wishlist-headless/*"],
    );
    await writeFile(path.join(project.folder, "program.mjs"), program);
    const { stdout } = await run(process.execPath, ["program.mjs"], { cwd: project.folder });
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
});

test("batches that a page sends at the same moment all arrive", async ({ app, call, shop }) => {
  const { page } = await openPage(
    `import { createClient } from "@wishlist-headless/sdk"; Object.assign(window, { createClient });`,
  );
  const [url, credentials] = [await app.listen(), await exchange(call, shop, { customer_id: "7002" })];
  const added = await page.evaluate(`(async () => {
    const client = createClient({ url: ${JSON.stringify(url)}, credentials: ${JSON.stringify(credentials)}, retries: 0 });
    const operations = Array.from({ length: 250 }, (_, i) => ({ op: "add", productId: String(8e12 + i), variantId: "1" }));
    const sent = Array.from({ length: 8 }, () => client.lists.items.batch({ listId: "default", operations }));
    return (await Promise.all(sent)).at(-1).itemCount;
  })()`);
  expect(added).toBe(250);
});
