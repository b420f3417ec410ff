// Builds the theme extension's assets from storefront-browser/extension. They are committed: Shopify's tools and the devstore take the
// extension's folder as it is. `--check` writes nothing; it fails when an asset is stale or too large, or Theme Check reports an offense.
// Shopify's tools build the customer account extension from its sources; here it is built to measure it.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { check, Severity } from "@shopify/theme-check-node";
import { transformWithEsbuild } from "vite";
import { bundle, TARGET } from "../storefront-browser/bundle.ts";
import { bundleUiExtension, readUiExtensions } from "./account-extension.ts";

const EXTENSION = fileURLToPath(new URL("wishlist-theme/", import.meta.url));
/** Folders of Liquid with a `.theme-check.yml`: the extension, and the pages that the app renders through the app proxy. */
const LIQUID = [EXTENSION, fileURLToPath(new URL("../app/storefront/theme/", import.meta.url))];
const SOURCES = fileURLToPath(new URL("../storefront-browser/extension/", import.meta.url));
/** The assets, their sources, and their largest size in bytes, compressed by gzip as well as brotli. All but the first two are loaded where they are needed. */
const ASSETS = [
  { name: "wishlist.js", source: "main.ts", limit: 4096 },
  { name: "wishlist.css", source: "wishlist.css", limit: 2048 },
  { name: "wishlist-header.js", source: "header/main.ts", limit: 2816 },
  { name: "wishlist-cards.js", source: "cards/main.ts", limit: 5056 },
  { name: "wishlist-product.js", source: "product/main.ts", format: "es", limit: 2080 },
  { name: "wishlist-alert.js", source: "alert/main.ts", format: "es", limit: 2048 },
  { name: "wishlist-alert.css", source: "alert/wishlist-alert.css", limit: 1024 },
  { name: "wishlist-api.js", source: "parts/api.ts", format: "es", limit: 1024 },
  { name: "wishlist-refused.js", source: "parts/refused.ts", format: "es", limit: 1024 },
  { name: "wishlist-lists.js", source: "parts/lists.ts", format: "es", limit: 6144 },
  { name: "wishlist-cart.js", source: "parts/cart.ts", limit: 1024 },
  { name: "wishlist-later.js", source: "parts/later.ts", limit: 1536 },
  { name: "wishlist-save-line.js", source: "parts/save-line.ts", format: "es", limit: 2048 },
  { name: "wishlist-editor.js", source: "parts/editor.ts", limit: 1024 },
  { name: "wishlist-page.js", source: "parts/page.ts", limit: 1024 },
  { name: "wishlist-privacy.js", source: "parts/privacy.ts", limit: 1024 },
  { name: "wishlist-viewed.js", source: "parts/viewed.ts", limit: 1024 },
  { name: "wishlist-presets.js", source: "presets.ts", format: "es", limit: 1024 },
] satisfies { name: string; source: string; format?: "es"; limit: number }[];

const ACCOUNT_EXTENSION = fileURLToPath(new URL("wishlist-account/", import.meta.url));
/** The most bytes of a UI extension, compressed by gzip: 18 KiB, of which the SDK takes 4. Shopify's own limit is 64 KiB. */
const ACCOUNT_LIMIT = 18_432;

async function style(source: string): Promise<string> {
  const file = SOURCES + source;
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
  const code = name.endsWith(".js") ? (await bundle(`extension/${source}`, format)).code : await style(source);
  const size = Math.max(gzipSync(code, { level: 9 }).length, brotliCompressSync(code).length);
  process.stdout.write(`${name.padEnd(20)} ${size} of ${limit} bytes\n`);
  if (size > limit) problems.push(`assets/${name} is ${size - limit} bytes too large.`);
  if (!checking) await writeFile(file, code);
  else if ((await readFile(file, "utf8").catch(() => "")) !== code) {
    problems.push(`assets/${name} is out of date. Run \`npm run build\` and commit it.`);
  }
}

for (const extension of await readUiExtensions(ACCOUNT_EXTENSION)) {
  const code = await bundleUiExtension(ACCOUNT_EXTENSION, extension, "https://app.example.com");
  const size = gzipSync(code, { level: 9 }).length;
  process.stdout.write(`${extension.handle.padEnd(20)} ${size} of ${ACCOUNT_LIMIT} bytes\n`);
  if (size > ACCOUNT_LIMIT) problems.push(`${extension.handle} is ${size - ACCOUNT_LIMIT} bytes too large.`);
}

for (const folder of checking ? LIQUID : []) {
  for (const { severity, check: rule, message, uri, start } of await check(folder, `${folder}.theme-check.yml`)) {
    problems.push(`${fileURLToPath(uri)}:${start.line + 1} ${Severity[severity]} ${rule}: ${message}`);
  }
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
