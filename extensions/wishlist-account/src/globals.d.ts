/** The API of both targets. Shopify gives it as a global of the worker. */
// oxlint-disable-next-line typescript/consistent-type-imports -- an import statement would make this file a module, and its declarations local
declare const shopify: import("@shopify/ui-extensions/customer-account.page.render").Api;

/** Replaced by Shopify's CLI with the environment of the build, in which the variable may be missing. */
declare const process: { readonly env: { readonly SHOPIFY_APP_URL: string } };

/** Exists nowhere: its import fails a build without the variable. */
declare module "SHOPIFY_APP_URL is not set";
