import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { SCRIPTS, type Script } from "../browser/bundle.ts";
import { PICTURE_FOLDER } from "../foundation/product-pictures.ts";
import { EXTENSION_ASSETS, THEME_ASSETS } from "../storefront/page.ts";
import type { Store } from "../store/store.ts";

const folderOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const THEME = folderOf("theme/assets");
const PICTURES = folderOf("pictures");

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

// Browsers revalidate assets, which are edited while the devstore runs.
const headers = (type: string) => ({
  "content-type": type,
  "cache-control": "no-cache",
  "access-control-allow-origin": "*",
});

/** Serves a file of a folder. @returns undefined if the folder has no such file */
function file(folder: string, name: string): Response | undefined {
  const wanted = path.join(folder, path.basename(name));
  const type = TYPES[path.extname(wanted)];
  if (type === undefined || !existsSync(wanted)) return undefined;
  return new Response(new Uint8Array(readFileSync(wanted)), { headers: headers(type) });
}

/** Serves a product's picture; one that a test or a merchant has created gets the placeholder. */
function picture({ catalog }: Store, name: string): Response | undefined {
  if (catalog.byHandle(name.replace(/\.svg$/, ""))?.hasPicture !== true) return undefined;
  const response = file(PICTURES, name) ?? file(PICTURES, "placeholder.svg");
  response?.headers.set("cache-control", "max-age=3600");
  return response;
}

/** Serves the files of Shopify's CDN. @returns undefined for any other path */
export async function cdn(
  store: Store,
  bundle: (script: Script) => Promise<string>,
  pathname: string,
): Promise<Response | undefined> {
  const name = path.posix.basename(pathname);
  if (
    pathname === "/shopifycloud/app-bridge.js" ||
    pathname === "/shopifycloud/admin.js" ||
    pathname === "/shopifycloud/customer-account.js" ||
    pathname === "/shopifycloud/consent-tracking-api.js" ||
    pathname === "/shopifycloud/customer-account-worker.js" ||
    pathname === `${THEME_ASSETS}theme.js`
  ) {
    const script = SCRIPTS.find((one) => `${one}.js` === name);
    return script && new Response(await bundle(script), { headers: headers("text/javascript; charset=utf-8") });
  }
  if (pathname.startsWith(THEME_ASSETS)) return file(THEME, name);
  if (pathname.startsWith(EXTENSION_ASSETS)) return file(path.join(store.options.extension, "assets"), name);
  return pathname === PICTURE_FOLDER + name ? picture(store, name) : undefined;
}
