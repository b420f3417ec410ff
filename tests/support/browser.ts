import { chromium, type BrowserServer, type Browser } from "playwright";

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** A browser as people have them: Shopify's library answers no other, and the devstore's names lead to a certificate of its own. */
export const LIKE_A_PERSON = {
  userAgent: "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  ignoreHTTPSErrors: true,
  viewport: DESKTOP,
};

function options(hostResolverRules: string | undefined, more: readonly string[] = []) {
  return {
    executablePath: process.env["WISHLIST_TEST_CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      ...(hostResolverRules === undefined ? [] : [`--host-resolver-rules=${hostResolverRules}`]),
      ...more,
    ],
  };
}

/**
 * @param hostResolverRules leads names to other addresses, such as Shopify's to a devstore on this machine
 * @param more of Chromium's own switches
 */
export function launchBrowser(hostResolverRules?: string, ...more: string[]): Promise<Browser> {
  return chromium.launch(options(hostResolverRules, more));
}

/** A browser that several processes use, each with contexts of its own: `chromium.connect(server.wsEndpoint())`. */
export function launchBrowserServer(hostResolverRules?: string): Promise<BrowserServer> {
  return chromium.launchServer({ host: "127.0.0.1", ...options(hostResolverRules) });
}
