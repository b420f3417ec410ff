import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { document } from "../../app/surfaces/v1/index.server.ts";
import { createClient } from "@wishlist-headless/sdk";
import { serverCredentials } from "@wishlist-headless/sdk/server";
import { errorSchema } from "../../app/http/v1/openapi/errors.ts";
import { statusOf } from "../../app/http/failure-registry.ts";
import { startDemoService, type DemoService } from "../support/app/demo-service.ts";
import { misfits } from "../support/app/contract.ts";
import { publishKey } from "../support/app/shop.ts";
import { launchBrowser } from "../support/browser/browser.ts";
import { promisedLines, samplesOf, shapeDifferences, type Sample } from "../support/documents/samples.ts";
import { typeErrors } from "../support/documents/types.ts";
import { freePort } from "../support/http/ports.ts";
import { MATRIX } from "../support/matrix.ts";
import { needs, pathOf } from "../support/programs/needs.ts";
import { curl, zsh } from "../support/programs/programs.ts";

const TOP = fileURLToPath(new URL("../../", import.meta.url));
const START = "docs/api.md";
const PAGES = [
  "README.md",
  START,
  "docs/api/authentication.md",
  "docs/api/wishlists.md",
  "docs/api/lists.md",
  "docs/api/changes.md",
  "docs/api/conventions.md",
  "docs/webhooks.md",
  "packages/sdk/README.md",
  "packages/react/README.md",
];
/** Pages that set up their own samples. */
const OWN_SETUP = new Set(["README.md", START, "packages/sdk/README.md", "packages/react/README.md"]);
/** The address of the service in the samples of pages, which the tests replace. */
const ADDRESSES = ["http://127.0.0.1:3000", "https://wishlist.example.com"];
const SDK_SOURCES = "@wishlist-headless/source";

/** Samples that are not run here, by a text in them, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "npm run demo": "tests/process/demo.test.ts runs it",
  "npm ci && npm test": "npm run test:fresh runs it",
  "node follow.mjs": "it runs until it is stopped; tests/process/docs.test.ts runs it",
  "// follow.mjs": "tests/process/docs.test.ts runs it",
  "shopify.sessionToken": "Shopify runs it in an extension; tests/e2e/customer-account.test.ts sends the request",
};

/** The shells that readers have, as they are on a terminal: without comments in zsh, with expansion of `!` and patterns. */
const SHELLS = { bash: ["--norc", "--noprofile", "-i"], zsh: ["-f", "-i"] };
/** The Node on the reader's PATH, which may be older than the one that runs these tests. */
const READERS_NODE = process.env["npm_node_execpath"] ?? process.execPath;

const execute = promisify(execFile);
const contents = new Map(PAGES.map((page) => [page, readFileSync(path.join(TOP, page), "utf8")]));
const response = z.looseObject({
  ok: z.boolean().optional(),
  error: z.looseObject({ code: z.string() }).optional(),
  event: z.string().optional(),
});
type Response = z.infer<typeof response>;

let running: DemoService;
let browser: Browser;
/** the folder in which readers run samples, with the demo's file */
let folder: string;
/** serves the page of a storefront, whose origin the publishable key allows */
let storefront: Server;
let origin: string;
let publishableKey: string;

beforeAll(async () => {
  running = await startDemoService();
  browser = await launchBrowser();
  // Inside the project, so that samples find its packages; not in node_modules, where Node does not run TypeScript.
  await mkdir(path.join(TOP, ".cache"), { recursive: true });
  folder = await mkdtemp(path.join(TOP, ".cache/guide-"));
  await mkdir(path.join(folder, ".data"));
  await writeFile(path.join(folder, ".data/demo.json"), JSON.stringify(running.demo));
  // curl ends each response with a line break, so that those of one sample can be told apart.
  await writeFile(path.join(folder, ".curlrc"), String.raw`write-out = "\n"`);
  await writeFile(path.join(folder, "sample.ts"), codeOf(select(START, ["ts"])));
  storefront = createServer((_request, page) => {
    page.setHeader("content-type", "text/html").end("<!doctype html><title>A storefront</title>");
  }).listen(0, "127.0.0.1");
  await once(storefront, "listening");
  const address = storefront.address();
  if (address === null || typeof address === "string") throw new Error("the storefront has no port");
  origin = `http://127.0.0.1:${address.port}`;
  publishableKey = await publishKey(running.demo, [origin]);
});
afterAll(async () => {
  await browser.close();
  storefront.close();
  await running.dispose();
  await rm(folder, { recursive: true });
});

function isRun({ code }: Sample): boolean {
  return !Object.keys(NOT_RUN).some((text) => code.includes(text));
}

/** Returns the samples of a page in some languages. */
function select(page: string, languages: readonly string[], place = ""): Sample[] {
  return samplesOf(contents.get(page) ?? "").filter(
    (sample) => languages.includes(sample.language) && sample.place === place,
  );
}

/** Returns the samples with which a page begins: the set-up of the first page, unless it has its own. */
function setUp(page: string, language: string): Sample[] {
  return OWN_SETUP.has(page) ? [] : select(START, [language]).filter(({ code }) => !code.startsWith("npx "));
}

/** Returns the samples of each section of a page, with those above the first section before them. */
function sectionsOf(page: string, language: string): Sample[][] {
  const samples = select(page, [language]).filter(isRun);
  const sections = new Set(samples.map(({ section }) => section).filter((section) => section > 0));
  return [...sections].map((section) => samples.filter((sample) => [0, section].includes(sample.section)));
}

function codeOf(samples: readonly Sample[]): string {
  return samples.map(({ code }) => code).join("\n");
}

/** Makes samples those of another reader, whose customers have saved nothing and whose idempotency keys are unused. */
function asReader(code: string, reader: string): string {
  return code
    .replaceAll(/(?:\/wishlists\/|customerId: "|"customer_id\\":\\")(?!me\b|shared\b)[a-z]+/g, `$&${reader}`)
    .replaceAll(/(?:idempotency-key: |idempotencyKey: ")[\w-]+/g, `$&${reader}`);
}

/** Deletes the webhooks that other samples have created: a shop can have 20. */
async function deleteWebhooks(): Promise<void> {
  const { apiUrl, apiKey, apiSecret } = running.demo;
  const client = createClient({ url: apiUrl, credentials: serverCredentials({ apiKey, apiSecret }) });
  const { webhooks } = await client.webhooks.list();
  await Promise.all(webhooks.map(({ webhookId }) => client.webhooks.delete({ webhookId })));
}

function withAddress(code: string): string {
  return ADDRESSES.reduce((changed, address) => changed.replaceAll(address, running.service.url), code);
}

interface Ran {
  sample: Sample;
  failed: boolean;
  /** the responses that the sample printed */
  responses: Response[];
  output: string;
}

/** Gives the receivers of webhooks in the samples a port that is free here. */
async function withFreePort(code: string): Promise<string> {
  return code.replaceAll("4100", String(await freePort()));
}

/** Runs shell samples one after another in one interactive shell, into which they are pasted. */
async function runShell(
  samples: readonly Sample[],
  { shell = "bash", reader = "" }: { shell?: keyof typeof SHELLS; reader?: string } = {},
): Promise<Ran[]> {
  await deleteWebhooks();
  const results = await mkdtemp(path.join(folder, "results-"));
  const pasted = samples.map(({ code }, index) => {
    const place = path.join(results, String(index));
    return `{\n${asReader(withAddress(code), reader)}\n} </dev/null >${place}.out 2>&1; echo $? >${place}.rc\n`;
  });
  const script = path.join(results, "pasted");
  await writeFile(script, await withFreePort(pasted.join("")));
  const folders = [READERS_NODE, pathOf(curl)].map((file) => path.dirname(file));
  const PATH = [...folders, process.env["PATH"] ?? ""].join(":");
  const input = await open(script);
  const child = spawn(shell === "zsh" ? pathOf(zsh) : shell, SHELLS[shell], {
    cwd: folder,
    env: { ...process.env, PATH, CURL_HOME: folder, HISTFILE: "" },
    // A group of its own, which ends with the receivers that samples leave running.
    detached: true,
    stdio: [input.fd, "ignore", "ignore"],
  });
  await once(child, "exit");
  await input.close();
  endGroup(child.pid);
  return Promise.all(
    samples.map(async (sample, index) => {
      const output = await readFile(path.join(results, `${index}.out`), "utf8").catch(() => "");
      const code = await readFile(path.join(results, `${index}.rc`), "utf8").catch(() => "none");
      const lines = output.split("\n").filter((line) => line.startsWith("{") && line.endsWith("}"));
      return {
        sample,
        failed: code.trim() !== "0",
        responses: lines.map((line) => response.parse(JSON.parse(line))),
        output,
      };
    }),
  );
}

/** Kills the processes of a group, of which none may be left. */
function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Returns the JSON block that follows a sample at once, which shows its last response. */
function shownAfter(page: string, sample: Sample): Response | undefined {
  const samples = samplesOf(contents.get(page) ?? "");
  const next = samples[samples.findIndex(({ line }) => line === sample.line) + 1];
  return next?.language === "json" ? response.parse(JSON.parse(next.code)) : undefined;
}

/** Returns what is wrong with a sample that was run: it failed, was refused, or responded with another shape than the page shows. */
function problemsOf(page: string, { sample, failed, responses, output }: Ran): string[] {
  const at = `line ${sample.line}`;
  if (failed) return [`${at} failed: ${output}`];
  const shown = shownAfter(page, sample);
  const last = responses.at(-1);
  // A sample that shows an error has one, as its last response.
  const refused = responses.filter((one) => one.ok === false && (one !== last || shown?.ok !== false));
  const differences = shown === undefined ? [] : shapeDifferences(shown, last);
  return [
    ...refused.map((one) => `${at} was refused: ${JSON.stringify(one)}`),
    ...differences.map((difference) => `${at}: ${difference}`),
  ];
}

describe.each(PAGES)("%s", (page) => {
  test("has only samples that these tests run", () => {
    const samples = samplesOf(contents.get(page) ?? "");
    const kinds = new Set(samples.map(({ language, place }) => `${language} ${place}`.trim()));
    const known = ["", "sh", "json", "js", "ts", "tsx", "ts browser", "js browser"];
    expect([...kinds].filter((kind) => !known.includes(kind))).toEqual([]);
    // Those with a file name are saved, and run by a command of the page.
    const programs = select(page, ["js"]).filter((sample) => isRun(sample) && !/^\/\/ \S+\.mjs\n/.test(sample.code));
    expect(programs).toEqual([]);
  });

  /** Runs shell samples after the set-up of the page. @returns what is wrong with them */
  async function problemsIn(own: readonly Sample[], options: Parameters<typeof runShell>[1]): Promise<string[]> {
    // Programs that the page tells the reader to save.
    for (const { code } of select(page, ["js"])) {
      const [, name] = /^\/\/ (\S+\.mjs)\n/.exec(code) ?? [];
      if (name !== undefined) await writeFile(path.join(folder, name), code);
    }
    const before = setUp(page, "sh");
    const ran = await runShell([...before, ...own], options);
    return ran.flatMap((one, index) => problemsOf(index < before.length ? START : page, one));
  }

  test("has commands that succeed in bash, with responses of the shape that it shows", needs(curl), async () => {
    const own = select(page, ["sh"]).filter(isRun);
    expect(await problemsIn(own, { shell: "bash", reader: "_bash" })).toEqual([]);
  });

  test(
    "has commands that succeed in zsh, with responses of the shape that it shows",
    { ...needs(curl, zsh), ...MATRIX },
    async () => {
      const own = select(page, ["sh"]).filter(isRun);
      expect(await problemsIn(own, { shell: "zsh", reader: "_zsh" })).toEqual([]);
    },
  );

  test(
    "has sections whose commands succeed without those of other sections",
    { ...needs(curl), ...MATRIX },
    async () => {
      for (const section of sectionsOf(page, "sh")) {
        const reader = `_${section.at(-1)?.line ?? 0}`;
        expect(await problemsIn(section, { reader })).toEqual([]);
      }
    },
  );

  test("shows events that fit the contract", () => {
    const events = document().webhooks;
    for (const { code, line } of select(page, ["json"])) {
      const shown = response.parse(JSON.parse(code));
      if (shown.event === undefined) continue;
      const [content] = Object.values(events[shown.event]?.post.requestBody.content ?? {});
      expect(content && misfits(content.schema, shown), `line ${line}`).toEqual([]);
    }
  });
});

/** Runs a page's samples for a server as one module, as a reader does who goes from top to bottom. */
async function moduleOf(page: string): Promise<{ file: string; code: string }> {
  const code = codeOf([...setUp(page, "ts"), ...select(page, ["ts"])]);
  const file = path.join(folder, `${path.basename(page, ".md")}.ts`);
  await writeFile(file, await withFreePort(code));
  return { file, code };
}

/** Runs each section of a page as a module with the set-up alone. @returns what the modules print, and what they should */
async function runSections(page: string): Promise<{ printed: string[]; promised: string[] }> {
  const printed: string[] = [];
  const promised: string[] = [];
  for (const section of sectionsOf(page, "ts")) {
    const reader = `_section${section.at(-1)?.line ?? 0}`;
    const code = codeOf([...setUp(page, "ts"), ...section]);
    const file = path.join(folder, `${path.basename(page, ".md")}${reader}.ts`);
    await writeFile(file, await withFreePort(asReader(code, reader)));
    const { stdout } = await runModule(file);
    printed.push(...stdout.replaceAll(reader, "").trim().split("\n"));
    promised.push(...promisedLines(code));
  }
  return { printed, promised };
}

function runModule(file: string): Promise<{ stdout: string }> {
  return execute(process.execPath, [`--conditions=${SDK_SOURCES}`, file], { cwd: folder });
}

/** Returns the complete program of a sample for a page: the values that the page's text promises, and the sample. */
function browserProgram({ code }: Sample): string {
  const given = code.includes("customerAccessToken")
    ? `const customerAccessToken = ${JSON.stringify(loginOfCustomer())};\n`
    : "";
  return given + withAddress(code).replaceAll("wlp_…", publishableKey);
}

/** Logs a customer of the demo's shop in. @returns the access token of the Customer Account API */
function loginOfCustomer(): string {
  return running.shopify.store(running.demo.domain).customerTokens.issue(running.demo.customers[0] ?? "").accessToken;
}

/** Opens the storefront as a new guest. */
async function openStorefront(): Promise<Page> {
  const tab = await (await browser.newContext()).newPage();
  tab.setDefaultTimeout(60_000);
  await tab.goto(origin);
  return tab;
}

/** Bundles a program as a storefront's build does, and runs it in the page to its end. */
async function runInPage(tab: Page, entry: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    conditions: [SDK_SOURCES],
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const [{ text } = { text: "" }] = outputFiles;
  const url = `URL.createObjectURL(new Blob([${JSON.stringify(text)}], { type: "text/javascript" }))`;
  await tab.evaluate(`import(${url}).then(() => undefined)`);
}

const PRODUCT = { id: "8401930311165", title: "Hollowbrook 1 Solo Tent" };

/** The samples with React by the component that each exports: its properties, and what a shopper does and sees. */
const COMPONENTS: Readonly<Record<string, { props: object; use: (tab: Page) => Promise<void> }>> = {
  Products: {
    props: { products: [PRODUCT] },
    async use(tab) {
      const heart = tab.getByRole("button", { name: `Save ${PRODUCT.title}` });
      await heart.getByText("♡").waitFor();
      await heart.click();
      await heart.getByText("♥").waitFor();
    },
  },
  Product: {
    props: { product: PRODUCT },
    async use(tab) {
      await tab.getByText("1 saved").waitFor();
      await tab
        .getByRole("button", { name: `Save ${PRODUCT.title}`, pressed: true })
        .getByText("♥")
        .click();
      await tab.getByText("0 saved").waitFor();
    },
  },
  WishlistPage: {
    props: {},
    async use(tab) {
      await tab.getByText("Wishlist (1)").waitFor();
      await tab.getByText(PRODUCT.title).waitFor();
      await tab.getByRole("button", { name: "Remove" }).click();
      await tab.getByText("Wishlist (0)").waitFor();
    },
  },
  ShareLink: {
    props: {},
    async use(tab) {
      await tab.evaluate(`wishlistClient.login(${JSON.stringify(loginOfCustomer())})`);
      await tab.getByRole("button", { name: "Share" }).click();
      await tab.getByRole("link", { name: "Shared wishlist" }).waitFor();
    },
  },
  AddToCart: {
    props: { productId: PRODUCT.id, variantId: "44003118551387" },
    async use(tab) {
      const recorded = tab.waitForResponse((response) => response.url().endsWith("/v1/wishlists/me/cart"));
      await tab.getByRole("button", { name: "Add to cart" }).click();
      expect((await recorded).status()).toBe(200);
    },
  },
  ListChoice: {
    props: { productId: PRODUCT.id },
    async use(tab) {
      const wishlist = tab.getByRole("checkbox", { name: "Wishlist" });
      await wishlist.and(tab.locator(":checked")).waitFor();
      await tab.getByRole("button", { name: "New list" }).click();
      const birthday = tab.getByRole("checkbox", { name: "Birthday" });
      await birthday.click();
      await birthday.and(tab.locator(":checked")).waitFor();
    },
  },
};

/** Returns the name of the component that a sample exports. */
function componentOf({ code }: Sample): string {
  return /^export function (\w+)/m.exec(code)?.[1] ?? "none";
}

const withReact = PAGES.flatMap((page) =>
  select(page, ["tsx"]).map((sample) => ({ page, sample, name: componentOf(sample) })),
);

/** Writes a sample, and a program that shows its component to a shopper who has saved a product. @returns the files */
async function componentProgram(sample: Sample): Promise<{ file: string; entry: string }> {
  const name = componentOf(sample);
  const file = path.join(folder, `${name}.tsx`);
  const entry = path.join(folder, `${name}-page.tsx`);
  await writeFile(file, withAddress(sample.code).replaceAll("wlp_…", publishableKey));
  await writeFile(
    entry,
    `import { createRoot } from "react-dom/client";
import { createStorefrontClient } from "@wishlist-headless/sdk";
import { WishlistProvider } from "@wishlist-headless/react";
import { ${name} } from "./${name}.tsx";

const client = createStorefrontClient({ url: ${JSON.stringify(running.service.url)}, publishableKey: ${JSON.stringify(publishableKey)} });
Object.assign(globalThis, { wishlistClient: client });
if (${JSON.stringify(name)} !== "Products") await client.wishlists.items.add({ product_id: ${JSON.stringify(PRODUCT.id)} });
const props = ${JSON.stringify(COMPONENTS[name]?.props)};
const place = document.body.appendChild(document.createElement("div"));
createRoot(place).render(<WishlistProvider client={client}><${name} client={client} {...props} /></WishlistProvider>);
`,
  );
  return { file, entry };
}

describe("the samples with React", () => {
  test("are all used by these tests", () => {
    expect(withReact.map(({ name }) => name).sort()).toEqual(Object.keys(COMPONENTS).sort());
  });

  test.each(withReact)("do what $page says: $name", async ({ sample, name }) => {
    const { entry } = await componentProgram(sample);
    const tab = await openStorefront();
    await runInPage(tab, entry);
    await COMPONENTS[name]?.use(tab);
    await tab.context().close();
  });
});

describe("the samples with the SDK", () => {
  const withModule = PAGES.filter((page) => select(page, ["ts"]).length > 0);
  const ofBrowsers = PAGES.filter((page) => select(page, ["ts", "js"], "browser").length > 0);

  test.each(withModule)("print what they say: %s", async (page) => {
    const module = await moduleOf(page);
    const { stdout } = await runModule(module.file);
    expect(stdout.trim().split("\n")).toEqual(promisedLines(module.code));
  });

  test.each(withModule)("print what they say without other sections: %s", MATRIX, async (page) => {
    const { printed, promised } = await runSections(page);
    expect(printed).toEqual(promised);
  });

  test("are correct TypeScript in a strict project", async () => {
    const modules = await Promise.all(withModule.map(moduleOf));
    const pages = PAGES.flatMap((page) => select(page, ["ts"], "browser"));
    const programs = await Promise.all(
      pages.map(async (sample, index) => {
        const file = path.join(folder, `page-${index}.ts`);
        await writeFile(file, browserProgram(sample));
        return file;
      }),
    );
    const reference = path.join(folder, "reference.ts");
    const client = `import type { Client } from "@wishlist-headless/sdk";\ndeclare const client: Client;\n`;
    await writeFile(
      reference,
      client +
        samplesOfOperations("SDK")
          .map((source) => `{\n${source}\n}\n`)
          .join(""),
    );
    const components = await Promise.all(withReact.map(({ sample }) => componentProgram(sample)));
    const files = [...components.map(({ file }) => file), reference, ...modules.map(({ file }) => file), ...programs];
    expect(await typeErrors(folder, files)).toBe("");
  });

  test.each(ofBrowsers)("print what they say in a browser: %s", async (page) => {
    for (const sample of select(page, ["ts", "js"], "browser")) {
      const entry = path.join(folder, `page.${sample.language}`);
      await writeFile(entry, browserProgram(sample));
      const tab = await openStorefront();
      const lines: string[] = [];
      tab.on("console", (message) => lines.push(message.text()));
      await runInPage(tab, entry);
      expect(lines, `line ${sample.line}`).toEqual(promisedLines(sample.code));
      await tab.context().close();
    }
  });
});

/** Returns the samples of the OpenAPI document that have the label. */
function samplesOfOperations(label: string): string[] {
  return Object.values(document().paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => operation["x-codeSamples"])
    .flatMap((sample) => (sample.label === label ? [sample.source] : []));
}

describe("the samples of the OpenAPI document", () => {
  test("reach their operations with valid input", needs(curl), async () => {
    const { apiUrl } = running.demo;
    const token = 'TOKEN=$(curl -s $API/v1/auth/token -H "$JSON" -d "$KEY" | data token)';
    const key = `KEY='{"api_key":"'$(demo apiKey)'","api_secret":"'$(demo apiSecret)'"}'`;
    const sources = samplesOfOperations("curl")
      // It stays open.
      .filter((source) => !source.includes("/v1/changes/stream"))
      .map((source) => source.replace("curl ", "curl -s "));
    const ran = await runShell(
      [...setUp("", "sh").map(({ code }) => code), `API=${apiUrl}\n${key}\n${token}\n`, ...sources].map(
        (code, line) => ({
          language: "sh",
          place: "",
          code,
          section: 0,
          line,
        }),
      ),
    );
    // The examples name lists, webhooks and keys that the demo does not have. Any other refusal is the sample's fault.
    const expected =
      /^(?:list|item|version|share|webhook)_not_found$|^invalid_credentials$|^invalid_publishable_key$|^invalid_session_token$/;
    const wrong = ran.slice(-sources.length).flatMap(({ sample, failed, responses, output }) => {
      const [first] = responses;
      if (failed) return [`${sample.code}\n${output}`];
      const code = first?.error?.code;
      return code === undefined || expected.test(code) ? [] : [`${sample.code}\n${code}`];
    });
    expect(wrong).toEqual([]);
  });
});

describe("the tables of the guide", () => {
  test("name every operation of the contract and no other", () => {
    const rows = Array.from((contents.get(START) ?? "").matchAll(/^\| `([A-Z]+ \/v1\/[^`]*)` /gm), ([, name]) => name);
    const operations = Object.entries(document().paths).flatMap(([target, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${target}`),
    );
    expect([...rows].sort()).toEqual(operations.sort());
  });

  test("name every error code of the contract with its status", () => {
    const table = contents.get("docs/api/conventions.md") ?? "";
    const rows = Array.from(table.matchAll(/^\| (\d{3}) +\| (.*)\|$/gm), ([, status = "", cells = ""]) =>
      Array.from(cells.matchAll(/`([a-z_]+)`/g), ([, code = ""]) => `${status} ${code}`),
    ).flat();
    const codes = errorSchema.shape.error.shape.code.options;
    const wanted = codes.map((code) => `${statusOf(code)} ${code}`);
    expect(rows.sort()).toEqual(wanted.sort());
  });
});
