import { npmHeadlessShell } from "./npm-chromium.ts";
import {
  chromium,
  find,
  headlessShell,
  installCommands,
  isCi,
  OPTIONAL_PROGRAMS,
  PLAYWRIGHT_INSTALL,
  provide,
  type Program,
} from "./programs.ts";

/** What `npm test` finds on this system before it starts anything. */
export interface Lookup {
  readonly found: readonly { readonly title: string; readonly path: string }[];
  /** paths of the found programs, as environment variables for the tests */
  readonly env: Readonly<Record<string, string>>;
  /** programs without which tests are skipped */
  readonly missing: readonly Program[];
  /** reasons not to run at all, with instructions */
  readonly problems: readonly string[];
}

const NO_BROWSER =
  `The tests need a browser, and npm has Chromium for Linux on x64 only. Install one (${PLAYWRIGHT_INSTALL}) or ` +
  `name it: ${chromium.variable}=/path/to/it npm test`;

/**
 * Returns the path of the browser for tests that can use a headless shell: an installed one, or else the one from npm.
 * @throws Error that says how to install a browser
 */
export function findBrowser(): string {
  const browser = find(headlessShell) ?? find(chromium) ?? npmHeadlessShell();
  if (browser === undefined) throw new Error(NO_BROWSER);
  return browser;
}

/** Finds the programs that the tests start. With CI=1, it installs missing ones first, and a program that is still missing is a problem. */
export function lookUpPrograms(): Lookup {
  const found: { title: string; path: string }[] = [];
  const env: Record<string, string> = {};
  const missing: Program[] = [];
  const problems: string[] = [];
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  };
  for (const program of OPTIONAL_PROGRAMS) {
    attempt(() => {
      const path = provide(program);
      if (path !== undefined) {
        found.push({ title: program.title, path });
        env[program.variable] = path;
      } else if (isCi() && program.optionalOnCi !== true) {
        problems.push(`${program.title} is missing. Install it: ${installCommands([program]).join(" or ")}`);
      } else missing.push(program);
    });
  }
  attempt(() => {
    provide(headlessShell);
    const path = findBrowser();
    found.push({ title: "Browser", path });
    env[headlessShell.variable] = path;
  });
  return { found, env, missing, problems };
}
