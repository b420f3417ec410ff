import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig, type Plugin } from "vite";
import { wishlistPageScript } from "./storefront-browser/bundle.ts";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

/**
 * Polaris and its dependencies. They are bundled, so that the server loads only the components in use and production need not install
 * them: they are development dependencies.
 */
const BUNDLED_COMPONENTS = [
  /^@shopify\/polaris/,
  /^@babel\/runtime/,
  "react-transition-group",
  "react-fast-compare",
  "react-is",
  "dom-helpers",
  "prop-types",
  "object-assign",
  "deepmerge",
];

/** Libraries whose modules the server would find and load one by one, which took a quarter of its start. */
const BUNDLED_LIBRARIES = [
  /^@shopify\/(?:shopify-app-remix|shopify-api|admin-api-client|storefront-api-client|graphql-client)/,
  "compare-versions",
  "isbot",
  "jose",
  "lossless-json",
  "rate-limiter-flexible",
  "@opentelemetry/api",
  "undici",
  "lru-cache",
  "ipaddr.js",
  "liquidjs",
  "nodemailer",
  // pg-boss and what it depends on
  "pg-boss",
  "cron-parser",
  "luxon",
  "rrule-temporal",
  "temporal-spec",
  "serialize-error",
  "non-error",
  // prom-client and what it depends on
  "prom-client",
  "tdigest",
  "bintrees",
  // React, in one copy with all that uses it
  "react",
  "react-dom",
  "scheduler",
  "loose-envify",
  "@remix-run/react",
  "@remix-run/router",
  "react-router",
  "react-router-dom",
  "turbo-stream",
];

/** A dependency of Polaris, so it is found from there. */
const ICON_PACKAGE = "@shopify/polaris-icons";
const polaris = fileURLToPath(import.meta.resolve("@shopify/polaris"));
const ICONS = path.join(path.dirname(createRequire(polaris).resolve(ICON_PACKAGE)), "icons");

/** Set by `server/dev/fresh-build.ts`. Brotli's highest quality, the default, takes a quarter of the build. */
const BROTLI_QUALITY = process.env["BUILD_COMPRESSION"] === "fast" ? 5 : constants.BROTLI_MAX_QUALITY;

const compressBrotli = promisify(brotliCompress);
const COMPRESSIONS = {
  br: (content: Buffer) => compressBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gz: promisify<Buffer, Buffer>(gzip),
};

/** Writes a compressed copy beside each asset, which `server/assets.ts` sends to browsers that accept the encoding. */
async function compressAssets(folder: string): Promise<void> {
  const texts = (await readdir(folder)).filter((name) => /\.(?:js|css|svg)$/.test(name));
  await Promise.all(
    texts.map(async (name) => {
      const file = path.join(folder, name);
      const content = await readFile(file);
      for (const [ending, compress] of Object.entries(COMPRESSIONS)) {
        await writeFile(`${file}.${ending}`, await compress(content));
      }
    }),
  );
}

/** Imports each icon from its module, because the package's index would add its 535 modules to both builds. */
function iconModules(): Plugin {
  return {
    name: "icon-modules",
    apply: "build",
    enforce: "pre",
    transform(code) {
      if (!code.includes(ICON_PACKAGE)) return undefined;
      return code.replaceAll(
        /import \{ ([\w, ]+) \} from ["']@shopify\/polaris-icons["'];/g,
        (_statement, names: string) =>
          names
            .split(", ")
            .map((name) => `import { S as ${name} } from "${ICONS}/${name}.svg.mjs";`)
            .join(" "),
      );
    },
  };
}

export default defineConfig(({ command }) => ({
  plugins: [
    wishlistPageScript(),
    iconModules(),
    remix({
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_singleFetch: true,
        // Needs the browser's storage, which may be blocked in the admin's cross-site frame.
        v3_lazyRouteDiscovery: false,
      },
      buildEnd: async ({ remixConfig }) => {
        await compressAssets(path.join(remixConfig.buildDirectory, "client/assets"));
        // Production does not install the generator (server/prisma-client.ts).
        await cp(
          path.join(remixConfig.appDirectory, "../node_modules/.prisma/client"),
          path.join(remixConfig.buildDirectory, "prisma-client"),
          { recursive: true, dereference: true },
        );
      },
    }),
  ],
  // The development server does not bundle modules and cannot load CommonJS.
  ssr: { noExternal: command === "build" ? [...BUNDLED_COMPONENTS, ...BUNDLED_LIBRARIES] : [/^@shopify\/polaris/] },
  define: command === "build" ? { "process.env.NODE_ENV": JSON.stringify("production") } : {},
  build: { target: "es2022", reportCompressedSize: false },
}));
