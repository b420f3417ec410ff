import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { connectShop, type ConnectedShop } from "../support/app/merchant.ts";
import { issueKey, publishKey } from "../support/app/shop.ts";
import { launchBrowser } from "../support/browser/browser.ts";
import { promisedLines, samplesOf, type Sample } from "../support/documents/samples.ts";
import { typeErrors } from "../support/documents/types.ts";
import { freePort, portOf } from "../support/http/ports.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";

const TOP = fileURLToPath(new URL("../../", import.meta.url));
const PAGE = "docs/headless.md";
/** The products of the page's samples. */
const JACKET = "8401930311165";
const BOTTLE = "8403987802358";
const ANNA = { id: "701", firstName: "Anna", lastName: "Berg", email: "anna@example.com" };
const NOT_RUN = new Map([
  ["npm ci", "tests/process/demo.test.ts runs the demo, and tests/packages/published.test.ts packs the packages"],
]);

const execute = promisify(execFile);
let samples: Sample[];
let used: Set<Sample>;
let connected: Connected;
let shop: ConnectedShop;
let browser: Browser;
let folder: string;

beforeAll(async () => {
  samples = samplesOf(await readFile(path.join(TOP, PAGE), "utf8"));
  used = new Set(samples.filter(({ code }) => [...NOT_RUN.keys()].some((text) => code.includes(text))));
  connected = await startConnected();
  shop = await connectShop(connected.service, connected.shopify, {
    products: [
      { id: Number(JACKET), handle: "jacket", title: "Jacket", variants: [{ id: 10 }] },
      { id: Number(BOTTLE), handle: "bottle", title: "Bottle", variants: [{ id: 20 }] },
    ],
  });
  shop.store.customers.add(ANNA);
  browser = await launchBrowser();
  await mkdir(path.join(TOP, ".cache"), { recursive: true });
  // Inside the project, so that the samples find its packages.
  folder = await mkdtemp(path.join(TOP, ".cache/headless-"));
});
afterAll(async () => {
  await browser.close();
  await connected.close();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the code of the only sample with this language and place. */
function sample(language: string, place = ""): string {
  const found = samples.filter((one) => one.language === language && one.place === place);
  const [only] = found;
  if (!only || found.length > 1) throw new Error(`${PAGE} has ${found.length} samples of ${language} ${place}`);
  used.add(only);
  return only.code;
}

function withAddresses(code: string, publishableKey: string): string {
  return code
    .replaceAll(/http:\/\/127\.0\.0\.1:3000|https:\/\/wishlist\.example\.com/g, connected.service.url)
    .replaceAll("wlp_…", publishableKey);
}

function accessToken(): string {
  return shop.store.customerTokens.issue(ANNA.id).accessToken;
}

async function bundle(file: string, options: { platform: "browser" | "node"; plugins?: Plugin[] }): Promise<string> {
  const outfile = file.replace(/\.\w+$/, ".bundle.mjs");
  await build({
    entryPoints: [file],
    bundle: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    conditions: ["@wishlist-headless/source"],
    outfile,
    logLevel: "silent",
    ...options,
  });
  return outfile;
}

/** Serves a page with a script, and what else `respond` gives. @returns its origin */
async function servePage(
  script: () => Promise<string>,
  respond?: (request: Request) => Promise<Response>,
): Promise<string> {
  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === "/page.js")
      return new Response(await script(), { headers: { "content-type": "text/javascript" } });
    if (pathname === "/") {
      const html = '<!doctype html><div id="root"></div><script type="module" src="/page.js"></script>';
      return new Response(html, { headers: { "content-type": "text/html" } });
    }
    return (await respond?.(request)) ?? new Response(null, { status: 404 });
  };
  const server: Server = createServer((incoming, outgoing) => {
    const responding = async () => {
      const { method = "GET", url = "/" } = incoming;
      const body = await text(incoming);
      const response = await handle(new Request(origin + url, { method, ...(body === "" ? {} : { body }) }));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
    };
    responding().catch(() => outgoing.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${portOf(server)}`;
  return origin;
}

async function open(url: string): Promise<Page> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Waits until the service has a press, which the page shows at once. */
function itemAdded(page: Page): Promise<unknown> {
  return page.waitForResponse(
    (response) => response.request().method() === "POST" && response.url().endsWith("/items"),
  );
}

test("the heart of the first page works in an empty folder, and is kept after a reload", async () => {
  const port = await freePort();
  const key = await publishKey(shop, [`http://127.0.0.1:${port}`]);
  const project = path.join(folder, "shop");
  await mkdir(path.join(project, "node_modules/.bin"), { recursive: true });
  await mkdir(path.join(folder, "wishlist-headless/.data"), { recursive: true });
  await symlink(path.join(TOP, "packages"), path.join(folder, "wishlist-headless/packages"));
  await execute("npm", ["run", "packages:pack"], { cwd: TOP });
  // What `npm install` of the sample does, without the registry.
  const install = samples.find(({ language, code }) => language === "sh" && code.includes("npm install"));
  expect(install?.code).toContain('react@18 react-dom@18 vite "$W"/packages/*.tgz');
  if (install) used.add(install);
  for (const name of ["react", "react-dom", "vite"])
    await symlink(path.join(TOP, "node_modules", name), path.join(project, "node_modules", name));
  await symlink("../vite/bin/vite.js", path.join(project, "node_modules/.bin/vite"));
  for (const name of ["sdk", "react"]) {
    const target = path.join(project, "node_modules/@wishlist-headless", name);
    await mkdir(target, { recursive: true });
    const unpack = `tar --extract --gzip --strip-components=1 --file ../wishlist-headless/packages/*-${name}-*.tgz --directory ${target}`;
    await execute("bash", ["-c", unpack], { cwd: project });
  }
  await writeFile(path.join(folder, "wishlist-headless/.data/demo.json"), JSON.stringify({ publishableKey: key }));
  await writeFile(path.join(project, "package.json"), "{}");
  await writeFile(path.join(project, "index.html"), sample("html", "shop/index.html"));
  await writeFile(path.join(project, "main.jsx"), withAddresses(sample("jsx", "shop/main.jsx"), key));
  const start = samples.find(({ language, code }) => language === "sh" && code.includes("npx vite"));
  if (!start) throw new Error("the page does not start Vite");
  used.add(start);
  const command = `W=../wishlist-headless\n${start.code.trim()} --port ${port} --strictPort`;
  const vite = spawn("bash", ["-c", command], { cwd: project, detached: true, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    if (vite.pid !== undefined) process.kill(-vite.pid);
    if (vite.exitCode === null && vite.signalCode === null) await once(vite, "exit");
  });
  for await (const line of vite.stdout) if (String(line).includes(`:${port}`)) break;

  const page = await open(`http://127.0.0.1:${port}`);
  const heart = page.getByRole("button", { name: "Save the jacket" });
  const added = itemAdded(page);
  await heart.click();
  await added;
  await page.getByText("1 saved").waitFor();
  await expect.poll(() => heart.textContent()).toBe("♥");
  await page.reload();
  await page.getByText("1 saved").waitFor();
  // The number is kept in the browser; what is saved is read.
  await expect.poll(() => heart.textContent()).toBe("♥");
});

test("the samples of the SDK do in a page what their comments say", async () => {
  let script = "";
  const origin = await servePage(async () => script);
  const key = await publishKey(shop, [origin]);
  const ofBrowser = samples.filter(({ language, place }) => language === "ts" && place === "browser");
  for (const one of ofBrowser) {
    used.add(one);
    const program = `import { createStorefrontClient } from "@wishlist-headless/sdk";
      const client = createStorefrontClient({ url: "${connected.service.url}", publishableKey: "${key}" });
      await client.wishlists.items.add({ product_id: "${BOTTLE}" });
      const customerAccessToken = async () => "${accessToken()}";
      ${one.code}
      document.title = "done";`;
    const file = path.join(folder, "page.ts");
    await writeFile(file, program);
    script = await readFile(await bundle(file, { platform: "browser" }), "utf8");
    const context = await browser.newContext();
    const page = await context.newPage();
    const printed: string[] = [];
    page.on("console", (message) => printed.push(message.text()));
    await page.goto(origin);
    await page.waitForFunction(() => document.title === "done");
    await context.close();
    expect(printed, `line ${one.line}`).toEqual(expect.arrayContaining(promisedLines(one.code)));
  }
});

test("Hydrogen's route and component merge a guest's heart at login without the access token in the page", async () => {
  const route = path.join(folder, "wishlist-token.ts");
  await writeFile(route, sample("ts", "hydrogen/app/routes/wishlist-token.ts"));
  const { action } = z
    .object({ action: z.custom<(call: object) => Promise<Response>>((value) => typeof value === "function") })
    .parse(await import(await bundle(route, { platform: "node" })));
  let script = "";
  let key = "";
  let isLoggedIn = true;
  const origin = await servePage(
    async () => script,
    async (request) => {
      if (new URL(request.url).pathname !== "/wishlist-token") return new Response(null, { status: 404 });
      return action({
        request,
        params: {},
        context: {
          env: { PUBLIC_WISHLIST_URL: connected.service.url, PUBLIC_WISHLIST_KEY: key },
          customerAccount: { getAccessToken: async () => (isLoggedIn ? accessToken() : undefined) },
        },
      });
    },
  );
  key = await publishKey(shop, [origin]);
  await writeFile(path.join(folder, "wishlist.tsx"), sample("tsx", "hydrogen/app/wishlist.tsx"));
  const entry = path.join(folder, "hydrogen-page.tsx");
  await writeFile(
    entry,
    `import { createRoot } from "react-dom/client";
     import { useLists, WishlistButton } from "@wishlist-headless/react";
     import { Wishlist } from "./wishlist.tsx";
     const root = createRoot(document.getElementById("root"));
     const Count = () => <p>{useLists().lists[0]?.itemCount ?? 0} saved</p>;
     window.render = (isLoggedIn) => root.render(
       <Wishlist url="${connected.service.url}" publishableKey="${key}" isLoggedIn={isLoggedIn}>
         <Count /><WishlistButton productId="gid://shopify/Product/${JACKET}" label="Save" />
       </Wishlist>);
     window.render(location.search === "?customer");`,
  );
  script = await readFile(await bundle(entry, { platform: "browser" }), "utf8");
  const page = await open(origin);
  const bodies: string[] = [];
  page.on("request", (request) => bodies.push(request.postData() ?? ""));
  const added = itemAdded(page);
  await page.getByRole("button", { name: "Save" }).click();
  await added;
  await page.getByText("1 saved").waitFor();
  const exchanged = page.waitForResponse(`${origin}/wishlist-token`);
  await page.evaluate("render(true)");
  expect(await (await exchanged).json()).toMatchObject({ owner: "customer", merge: { merged: true, addedCount: 1 } });
  await page.getByRole("button", { name: "Save", pressed: true }).waitFor();
  await page.goto(`${origin}/?customer`);
  await page.getByRole("button", { name: "Save", pressed: true }).waitFor();
  expect(bodies.join("\n")).not.toContain("customer_access_token");
  isLoggedIn = false;
  const refused = await page.evaluate(() =>
    fetch("/wishlist-token", { method: "POST", body: "{}" }).then((r) => r.status),
  );
  expect(refused).toBe(401);
});

test("Next's layout, page and client component show and save a heart", async () => {
  let script = "";
  const origin = await servePage(async () => script);
  const key = await publishKey(shop, [origin]);
  const app = await mkdtemp(path.join(folder, "next-"));
  for (const file of ["layout.tsx", "page.tsx", "count.tsx"])
    await writeFile(path.join(app, file), withAddresses(sample("tsx", `next/app/${file}`), key));
  const entry = path.join(app, "entry.tsx");
  await writeFile(
    entry,
    `import { createRoot } from "react-dom/client";
     import RootLayout from "./layout.tsx";
     import Products from "./page.tsx";
     createRoot(document).render(<RootLayout><Products /></RootLayout>);`,
  );
  script = await readFile(await bundle(entry, { platform: "browser" }), "utf8");
  const page = await open(origin);
  const added = itemAdded(page);
  await page.getByRole("button", { name: "Save Jacket", pressed: false }).click();
  await added;
  await page.getByText("1 saved").waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Save Jacket", pressed: true }).waitFor();
});

test("the client of a mobile app keeps its guest in the device's secure storage", async () => {
  const origin = "https://www.example.com";
  const file = path.join(folder, "app.ts");
  await writeFile(
    file,
    `${withAddresses(sample("ts", "app/client.ts"), await publishKey(shop, [origin]))}
     await client.wishlists.items.add({ product_id: "${JACKET}" });
     console.log((await client.wishlists.get()).total, [...SecureStore.values.keys()].join());`,
  );
  const storage: Plugin = {
    name: "secure storage",
    setup(build) {
      build.onResolve({ filter: /^expo-secure-store$/ }, () => ({ path: "storage", namespace: "storage" }));
      build.onLoad({ filter: /.*/, namespace: "storage" }, () => ({
        contents: `export const values = new Map();
          export const getItemAsync = async (key) => values.get(key) ?? null;
          export const setItemAsync = async (key, value) => void values.set(key, value);
          export const deleteItemAsync = async (key) => void values.delete(key);`,
      }));
    },
  };
  const { stdout } = await execute(process.execPath, [await bundle(file, { platform: "node", plugins: [storage] })]);
  expect(stdout.trim()).toBe("1 wishlist.guest");
});

test("the client of a server reads reports", async () => {
  const file = path.join(folder, "server.ts");
  await writeFile(file, withAddresses(sample("ts"), ""));
  const key = await issueKey(shop.id);
  const env = { ...process.env, API_KEY: key.keyId, API_SECRET: key.secret };
  const { stdout } = await execute(process.execPath, [await bundle(file, { platform: "node" })], { env });
  expect(stdout).toContain("products");
});

/** The modules of the samples that are not installed here, as far as the samples use them. */
const DECLARATIONS = {
  "react-router": `export interface ActionFunctionArgs {
      request: Request;
      context: {
        env: { PUBLIC_WISHLIST_URL: string; PUBLIC_WISHLIST_KEY: string };
        customerAccount: { getAccessToken(): Promise<string | undefined> };
      };
    }`,
  "expo-secure-store": `export function getItemAsync(key: string): Promise<string | null>;
    export function setItemAsync(key: string, value: string): Promise<void>;
    export function deleteItemAsync(key: string): Promise<void>;`,
};

test("the samples are correct TypeScript in a strict project", async () => {
  const types = await mkdtemp(path.join(folder, "types-"));
  const paths = Object.entries(DECLARATIONS).map(([name, declaration]): [string, string[], string] => [
    name,
    [`./${name}.d.ts`],
    declaration,
  ]);
  for (const [name, , declaration] of paths) await writeFile(path.join(types, `${name}.d.ts`), declaration);
  const typed = samples.filter(({ language }) => ["ts", "tsx"].includes(language));
  const files = typed.map(({ language, line, place }) => (place.includes("/") ? place : `line-${line}.${language}`));
  const given = `import type { StorefrontClient } from "@wishlist-headless/sdk";
    declare const client: StorefrontClient;
    declare const customerAccessToken: () => Promise<string>;\n`;
  for (const [index, { code, place }] of typed.entries()) {
    const file = path.join(types, files[index] ?? "");
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, place === "browser" ? given + code : code);
  }
  const modules = Object.fromEntries(paths.map(([name, targets]) => [name, targets]));
  expect(await typeErrors(types, files, modules)).toBe("");
});

describe("the page", () => {
  test("has no sample that these tests do not use", () => {
    const unused = samples
      .filter((one) => !used.has(one))
      .map(({ language, place, line }) => ({ language, place, line }));
    expect(unused).toEqual([]);
  });
});
