import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

/** Every browser that Shopify's own themes support knows this much. */
export const TARGET = "es2022";

interface Bundle {
  code: string;
  /** the sources' paths */
  sources: string[];
}

/** Bundles a script and what it imports into one minified file. @param source path in this folder */
export async function bundle(source: string, format: "iife" | "es" = "iife"): Promise<Bundle> {
  const built = await build({
    configFile: false,
    root: FOLDER,
    publicDir: false,
    logLevel: "warn",
    build: {
      write: false,
      target: TARGET,
      minify: "terser",
      terserOptions: { ecma: 2020, compress: { passes: 3, unsafe_arrows: true } },
      modulePreload: false,
      rollupOptions: {
        input: FOLDER + source,
        output: { format, strict: false },
        preserveEntrySignatures: "allow-extension",
      },
    },
  });
  const [chunk] = "output" in built ? built.output : [];
  if (chunk === undefined) throw new Error(`The bundle of ${source} is empty.`);
  return { code: chunk.code, sources: Object.keys(chunk.modules) };
}

const MODULE = "virtual:wishlist-page-script";
const RESOLVED = `\0${MODULE}`;

/** Lets the app import the bundled script of the wishlist's pages as text. */
export function wishlistPageScript(): Plugin {
  let bundled: Promise<Bundle> | undefined;
  return {
    name: "wishlist-page-script",
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    watchChange() {
      bundled = undefined;
    },
    async load(id) {
      if (id !== RESOLVED) return undefined;
      bundled ??= bundle("page/main.ts");
      const { code, sources } = await bundled;
      for (const source of sources) this.addWatchFile(source);
      return `export default ${JSON.stringify(code.trim())};`;
    },
  };
}
