import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { SCRIPTS, type Script } from "../browser/bundle.ts";
import { drawProduct } from "../pictures/draw.ts";
import { EXTENSION_ASSETS, THEME_ASSETS } from "../storefront/page.ts";
import type { Store } from "../store/store.ts";
import { picturePath } from "../pictures/address.ts";

const THEME = fileURLToPath(new URL("../theme/assets", import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

// What is edited while the devstore runs must not stay in a browser.
const headers = (type: string) => ({
  "content-type": type,
  "cache-control": "no-cache",
  "access-control-allow-origin": "*",
});

function script(name: string): Script | undefined {
  return SCRIPTS.find((one) => `${one}.js` === name);
}

function file(folder: string, name: string): Response | undefined {
  const wanted = path.join(folder, path.basename(name));
  const type = TYPES[path.extname(wanted)];
  if (type === undefined || !existsSync(wanted)) return undefined;
  return new Response(new Uint8Array(readFileSync(wanted)), { headers: headers(type) });
}

/** What Shopify has on its CDN. @returns undefined when the path is nothing of the kind */
export async function cdn(
  store: Store,
  bundle: (script: Script) => Promise<string>,
  pathname: string,
): Promise<Response | undefined> {
  const name = path.posix.basename(pathname);
  if (
    pathname === "/shopifycloud/app-bridge.js" ||
    pathname === "/shopifycloud/admin.js" ||
    pathname === `${THEME_ASSETS}theme.js`
  ) {
    const wanted = script(name);
    return wanted && new Response(await bundle(wanted), { headers: headers("text/javascript; charset=utf-8") });
  }
  if (pathname.startsWith(THEME_ASSETS)) return file(THEME, name);
  if (pathname.startsWith(EXTENSION_ASSETS)) return file(path.join(store.options.extension, "assets"), name);
  const product = store.catalogue.byHandle(name.replace(/\.svg$/, ""));
  if (product === undefined || pathname !== picturePath(product)) return undefined;
  return new Response(drawProduct(product), {
    headers: { ...headers("image/svg+xml"), "cache-control": "max-age=3600" },
  });
}
