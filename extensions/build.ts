// Compiles the theme extension's sources into the two assets that its blocks name. They are committed: Shopify's tools and the
// devstore take the folder as it is. `--check` writes nothing and refuses assets that are stale or too large, and Liquid that
// Theme Check finds fault with.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { check, Severity } from "@shopify/theme-check-node";
import { build, transformWithEsbuild } from "vite";

const EXTENSION = fileURLToPath(new URL("wishlist-theme/", import.meta.url));
/** Folders of Liquid with a `.theme-check.yml`: the extension, and the pages that the app renders through the app proxy. */
const LIQUID = [EXTENSION, fileURLToPath(new URL("../app/storefront/theme/", import.meta.url))];
/** Every browser that Shopify's own themes support knows this much. */
const TARGET = "es2022";
/** Sources of the assets, and the bytes after `gzip -9` that a page of the store pays for each. All but the first two are loaded where they are needed. */
const ASSETS = [
  { name: "wishlist.js", source: "main.ts", limit: 4608 },
  { name: "wishlist.css", source: "wishlist.css", limit: 2048 },
  { name: "wishlist-header.js", source: "header/main.ts", limit: 2176 },
  { name: "wishlist-cards.js", source: "cards/main.ts", limit: 4928 },
  { name: "wishlist-product.js", source: "product/main.ts", limit: 1024 },
  { name: "wishlist-cart.js", source: "parts/cart.ts", limit: 1024 },
  { name: "wishlist-editor.js", source: "parts/editor.ts", limit: 1024 },
  { name: "wishlist-page.js", source: "parts/page.ts", limit: 1024 },
  { name: "wishlist-presets.js", source: "presets.ts", format: "es", limit: 1024 },
] satisfies { name: string; source: string; format?: "es"; limit: number }[];

async function script(source: string, format: "iife" | "es" = "iife"): Promise<string> {
  const built = await build({
    configFile: false,
    root: EXTENSION,
    publicDir: false,
    logLevel: "warn",
    build: {
      write: false,
      target: TARGET,
      minify: "terser",
      terserOptions: { ecma: 2020, compress: { passes: 3, unsafe_arrows: true } },
      modulePreload: false,
      rollupOptions: {
        input: `${EXTENSION}src/${source}`,
        output: { format, strict: false },
        preserveEntrySignatures: "allow-extension",
      },
    },
  });
  const [chunk] = "output" in built ? built.output : [];
  if (chunk === undefined) throw new Error(`The build of src/${source} gave nothing.`);
  return chunk.code;
}

async function style(source: string): Promise<string> {
  const file = `${EXTENSION}src/${source}`;
  const { code } = await transformWithEsbuild(await readFile(file, "utf8"), file, {
    loader: "css",
    minify: true,
    target: TARGET,
  });
  return code;
}

const checking = process.argv.includes("--check");
const problems: string[] = [];

for (const { name, source, format, limit } of ASSETS) {
  const file = `${EXTENSION}assets/${name}`;
  const code = name.endsWith(".js") ? await script(source, format) : await style(source);
  const size = gzipSync(code, { level: 9 }).length;
  process.stdout.write(`${name.padEnd(20)} ${size} of ${limit} bytes\n`);
  if (size > limit) problems.push(`assets/${name} is ${size - limit} bytes too large.`);
  if (!checking) await writeFile(file, code);
  else if ((await readFile(file, "utf8").catch(() => "")) !== code) {
    problems.push(`assets/${name} is not what src/ compiles to. Run \`npm run build\` and commit it.`);
  }
}

for (const folder of checking ? LIQUID : []) {
  for (const { severity, check: rule, message, uri, start } of await check(folder, `${folder}.theme-check.yml`)) {
    problems.push(`${fileURLToPath(uri)}:${start.line + 1} ${Severity[severity]} ${rule}: ${message}`);
  }
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
