import { chromium, type Browser, type BrowserServer, type LaunchOptions } from "playwright";

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** A browser as people have them: Shopify's library answers no other, and the devstore's names lead to a certificate of its own. */
export const LIKE_A_PERSON = {
  userAgent: "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  ignoreHTTPSErrors: true,
  viewport: DESKTOP,
};

/** What a test needs beside what all need. */
interface Needs {
  /** all of a browser: the headless shell, which the other tests use where there is one, keeps no page that was left */
  whole?: boolean;
  /** leads names to other addresses, such as Shopify's to a devstore on this machine */
  hostResolverRules?: string | undefined;
  /** more of Chromium's switches */
  args?: readonly string[];
  /** those of Playwright's own switches that are left out */
  ignoreDefaultArgs?: string[];
}

const CHROMIUM = process.env["WISHLIST_TEST_CHROMIUM"] ?? "/usr/bin/chromium";
const HEADLESS_SHELL = process.env["WISHLIST_TEST_HEADLESS_SHELL"] ?? CHROMIUM;

function options({ whole = false, hostResolverRules, args = [], ignoreDefaultArgs = [] }: Needs): LaunchOptions {
  return {
    executablePath: whole ? CHROMIUM : HEADLESS_SHELL,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      // The devstore's certificate is its own; a context that takes it takes no downloads from there.
      ...(hostResolverRules === undefined
        ? []
        : [`--host-resolver-rules=${hostResolverRules}`, "--ignore-certificate-errors"]),
      ...args,
    ],
    ignoreDefaultArgs,
  };
}

export function launchBrowser(needs: Needs = {}): Promise<Browser> {
  return chromium.launch(options(needs));
}

/** A browser that several processes use, each with contexts of its own: `chromium.connect(server.wsEndpoint())`. */
export function launchBrowserServer(needs: Needs = {}): Promise<BrowserServer> {
  return chromium.launchServer({ host: "127.0.0.1", ...options(needs) });
}
