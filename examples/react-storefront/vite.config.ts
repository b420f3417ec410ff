import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig, loadEnv, type Plugin } from "vite";
import type { DemoFile } from "../../server/dev/demo-access.ts";

/** Gives the settings of the demo, which `npm run example` starts, the names that a deployed build uses. */
const demoSettings: Plugin = {
  name: "demo-settings",
  apply: "serve",
  config(_config, { mode }) {
    if ("VITE_WISHLIST_URL" in loadEnv(mode, import.meta.dirname)) return {};
    const file = path.resolve(import.meta.dirname, "../..", process.env["DATA_DIR"] ?? ".data", "demo.json");
    if (!existsSync(file)) throw new Error("Start `npm run demo` in the project's folder first, or set the variables.");
    const { apiUrl, publishableKey, storefront } = JSON.parse(readFileSync(file, "utf8")) as DemoFile;
    const settings = {
      VITE_WISHLIST_URL: apiUrl,
      VITE_WISHLIST_KEY: publishableKey,
      VITE_STORE_URL: storefront.url,
      VITE_STOREFRONT_TOKEN: storefront.storefrontAccessToken,
      VITE_CUSTOMER_CLIENT_ID: storefront.customerAccount.clientId,
    };
    return {
      define: Object.fromEntries(
        Object.entries(settings).map(([name, value]) => [`import.meta.env.${name}`, JSON.stringify(value)]),
      ),
    };
  },
};

export default defineConfig({
  plugins: [demoSettings],
  esbuild: { jsx: "automatic" },
  build: { target: "es2022" },
  // The publishable key and the login of the demo know this address.
  server: { host: "127.0.0.1", port: 5173, strictPort: true },
});
