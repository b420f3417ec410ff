// `npm run check:weight`: limits the compressed scripts of the admin's home page, with which merchants usually start.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { freshBuild } from "../server/dev/fresh-build.ts";

const LIMIT_KB = 250;
const PAGE = ["root", "routes/app", "routes/app._index"];

const moduleShape = z.object({ module: z.string(), imports: z.array(z.string()).default([]) });
const manifestShape = z.object({
  url: z.string(),
  entry: moduleShape,
  routes: z.record(z.string(), moduleShape),
});

const client = new URL("../build/client/", import.meta.url);

await freshBuild(() => undefined);
const build = z
  .object({ assets: manifestShape })
  .parse(await import(fileURLToPath(new URL("../build/server/index.js", import.meta.url))));
const { url, entry, routes } = build.assets;
const modules = [entry, ...PAGE.map((id) => moduleShape.parse(routes[id]))];
const files = new Set([url, ...modules.flatMap(({ module, imports }) => [module, ...imports])]);
let bytes = 0;
for (const file of files) bytes += gzipSync(await readFile(new URL(`.${file}`, client))).byteLength;

const kilobytes = Math.ceil(bytes / 1000);
if (kilobytes > LIMIT_KB) {
  process.stdout.write(
    `The admin's home page loads ${kilobytes} kB of compressed scripts; the limit is ${LIMIT_KB} kB.\n`,
  );
  process.exitCode = 1;
}
