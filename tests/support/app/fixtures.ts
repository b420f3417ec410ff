import { test as base } from "vitest";
import { client } from "./client.ts";
import { makeShop, type ShopOptions } from "./shop.ts";
import { startApp, type InProcessOptions } from "./in-process.ts";

/**
 * Vitest's `test` with one app and one shop per file:
 * - `app`: the app in process, on a new database
 * - `call`: a client of its API
 * - `shop`: a shop with an API key and a token
 *
 * A file changes what they start with by `test.override({ appOptions: …, shopOptions: … })`.
 */
export const test = base
  .extend("appOptions", { scope: "file" }, (): InProcessOptions => ({}))
  .extend("shopOptions", { scope: "file" }, (): ShopOptions => ({}))
  .extend("app", { scope: "file" }, async ({ appOptions }, { onCleanup }) => {
    const app = await startApp(appOptions);
    onCleanup(() => app.dispose());
    return app;
  })
  .extend("call", { scope: "file" }, ({ app }) => client(app))
  .extend("shop", { scope: "file" }, ({ app, call, shopOptions }) => makeShop(app, call, shopOptions));
