import { chromium, type Browser, type BrowserServer, type LaunchOptions } from "playwright";
import { findBrowser } from "../programs/lookup.ts";
import { pathOf } from "../programs/needs.ts";
import { chromium as fullChromium } from "../programs/programs.ts";

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

/**
 * Chromium with a regular user agent, which Shopify's library requires, and without certificate checks, because the
 * devstore's certificate is self-signed.
 */
export const LIKE_A_PERSON = {
  userAgent: "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  ignoreHTTPSErrors: true,
  viewport: DESKTOP,
};

/** Options of a test's browser. */
interface Needs {
  /** use full Chromium, because the headless shell has no back/forward cache; the test declares that it needs it */
  whole?: boolean;
  /** maps host names to other addresses, such as Shopify's to a local devstore */
  hostResolverRules?: string | undefined;
  /** additional switches of Chromium */
  args?: readonly string[];
  /** switches of Playwright to leave out */
  ignoreDefaultArgs?: string[];
}

function options({ whole = false, hostResolverRules, args = [], ignoreDefaultArgs = [] }: Needs): LaunchOptions {
  return {
    executablePath: whole ? pathOf(fullChromium) : findBrowser(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      // The devstore's certificate is self-signed; a context that accepts it can't download files from there.
      ...(hostResolverRules === undefined
        ? []
        : [`--host-resolver-rules=${hostResolverRules}`, "--ignore-certificate-errors"]),
      ...args,
    ],
    ignoreDefaultArgs,
  };
}

let shared: Promise<Browser> | undefined;

/**
 * Returns the browser of this worker, or launches one where a test has needs. To close it closes its contexts: the files of a worker share it one
 * after the other, and it ends with the worker's process.
 */
export async function launchBrowser(needs?: Needs): Promise<Browser> {
  if (needs !== undefined) return chromium.launch(options(needs));
  shared ??= launchShared();
  return shared;
}

async function launchShared(): Promise<Browser> {
  // The worker's process handles signals as it does without a browser.
  const browser = await chromium.launch({
    ...options({}),
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  browser.on("disconnected", () => (shared = undefined));
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return browser;
}

/** Launches a browser for several processes, each with its own contexts: `chromium.connect(server.wsEndpoint())`. */
export function launchBrowserServer(needs: Needs = {}): Promise<BrowserServer> {
  return chromium.launchServer({ host: "127.0.0.1", ...options(needs) });
}
