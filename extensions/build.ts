// Compiles the theme extension's sources into the two assets that its blocks name. They are committed: Shopify's tools and the
// devstore take the folder as it is. `--check` writes nothing and refuses assets that are stale or too large, and Liquid that
// Theme Check finds fault with.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { check, Severity } from "@shopify/theme-check-node";
import { build, transformWithEsbuild } from "vite";

const EXTENSION = fileURLToPath(new URL("wishlist-theme/", import.meta.url));
/** Every browser that Shopify's own themes support knows this much. */
const TARGET = "es2022";
/** Bytes after `gzip -9`: what a page of the store pays for the wishlist. */
const LIMITS = { "wishlist.js": 4096, "wishlist.css": 2048 };

async function script(): Promise<string> {
  const built = await build({
    configFile: false,
    root: EXTENSION,
    publicDir: false,
    logLevel: "warn",
    build: {
      write: false,
      target: TARGET,
      minify: "esbuild",
      modulePreload: false,
      rollupOptions: { input: `${EXTENSION}src/main.ts`, output: { format: "iife", strict: false } },
    },
  });
  const [chunk] = "output" in built ? built.output : [];
  if (chunk === undefined) throw new Error("The build of src/main.ts gave nothing.");
  return chunk.code;
}

async function style(): Promise<string> {
  const file = `${EXTENSION}src/wishlist.css`;
  const { code } = await transformWithEsbuild(await readFile(file, "utf8"), file, {
    loader: "css",
    minify: true,
    target: TARGET,
  });
  return code;
}

const assets = { "wishlist.js": await script(), "wishlist.css": await style() };
const checking = process.argv.includes("--check");
const problems: string[] = [];

for (const name of ["wishlist.js", "wishlist.css"] as const) {
  const file = `${EXTENSION}assets/${name}`;
  const size = gzipSync(assets[name], { level: 9 }).length;
  process.stdout.write(`${name.padEnd(12)} ${size} of ${LIMITS[name]} bytes\n`);
  if (size > LIMITS[name]) problems.push(`assets/${name} is ${size - LIMITS[name]} bytes too large.`);
  if (!checking) await writeFile(file, assets[name]);
  else if ((await readFile(file, "utf8").catch(() => "")) !== assets[name]) {
    problems.push(`assets/${name} is not what src/ compiles to. Run \`npm run build\` and commit it.`);
  }
}

if (checking) {
  for (const { severity, check: rule, message, uri, start } of await check(EXTENSION, `${EXTENSION}.theme-check.yml`)) {
    problems.push(
      `${uri.slice(uri.indexOf("wishlist-theme/"))}:${start.line + 1} ${Severity[severity]} ${rule}: ${message}`,
    );
  }
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
