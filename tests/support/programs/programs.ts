import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { chromium as playwrightChromium } from "playwright";

/** A program that the tests start and that npm does not install. */
interface Program {
  readonly title: string;
  /** environment variable with the program's path; overrides the candidates */
  readonly variable: string;
  /** commands on the PATH, or absolute paths; the first that runs is taken */
  readonly candidates: readonly string[];
  /** ways to install the program with CI=1, tried in order; each returns whether it succeeded */
  readonly installers: readonly (() => boolean)[];
  /** installation instructions */
  readonly advice: string;
  /** the tests' behaviour without the program; undefined when they require it */
  readonly otherwise?: string;
}

export const redisServer: Program = {
  title: "Redis",
  variable: "WISHLIST_TEST_REDIS_SERVER",
  candidates: ["redis-server", "valkey-server"],
  installers: [() => installDebianPackage("redis-server")],
  advice: "Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis",
};

export const chromium: Program = {
  title: "Chromium",
  variable: "WISHLIST_TEST_CHROMIUM",
  candidates: [
    "/usr/bin/chromium",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    playwrightChromium.executablePath(),
  ],
  installers: [() => installDebianPackage("chromium"), installPlaywrightChromium],
  advice: "npx playwright install --with-deps chromium; Debian: apt-get install chromium",
};

/** The headless shell of the same browser, which renders pages in two thirds of the time. */
export const headlessShell: Program = {
  title: "Chromium's headless shell",
  variable: "WISHLIST_TEST_HEADLESS_SHELL",
  candidates: ["chromium-headless-shell"],
  installers: [() => installDebianPackage("chromium-headless-shell")],
  advice: "Debian: apt-get install chromium-headless-shell",
  otherwise: "Chromium does all of it, which takes longer",
};

export const python: Program = {
  title: "Python",
  variable: "WISHLIST_TEST_PYTHON",
  candidates: ["python3", "python"],
  installers: [() => installDebianPackage("python3")],
  advice: "Debian, Ubuntu: apt-get install python3; macOS: brew install python",
};

export const ruby: Program = {
  title: "Ruby",
  variable: "WISHLIST_TEST_RUBY",
  candidates: ["ruby"],
  installers: [() => installDebianPackage("ruby")],
  advice: "Debian, Ubuntu: apt-get install ruby; macOS: brew install ruby",
};

/** Prometheus' tool for rules and metrics. */
export const promtool: Program = {
  title: "promtool",
  variable: "WISHLIST_TEST_PROMTOOL",
  candidates: ["promtool"],
  installers: [() => installDebianPackage("prometheus")],
  advice: "Debian, Ubuntu: apt-get install prometheus; macOS: brew install prometheus",
  otherwise: "The alert rules and the metrics are not checked by Prometheus' own tool",
};

/**
 * Returns the program's absolute path. Installs a missing program on CI only, never on a developer's machine.
 * @throws Error that names the program and says how to install it
 */
export function provide(program: Program): string {
  const { title, variable, candidates, installers, advice } = program;
  const given = process.env[variable];
  if (given !== undefined && given !== "") {
    const found = find([given]);
    if (found === undefined) throw new Error(`${variable}=${given} does not run.`);
    return found;
  }
  let found = find(candidates);
  for (const install of isCi() ? installers : []) {
    if (found !== undefined) break;
    if (install()) found = find(candidates);
  }
  if (found === undefined) {
    throw new Error(`${title} is missing. Install it (${advice}) or name it: ${variable}=/path/to/it npm test`);
  }
  return found;
}

/** CI services set CI to `true` or `1`. */
function isCi(): boolean {
  return !["", "0", "false"].includes(process.env["CI"] ?? "");
}

function find(candidates: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return candidates
    .flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))))
    .find((path) => isExecutable(path) && runs(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The file may be a stub (Ubuntu's chromium-browser requires snap) or lack its libraries. */
function runs(path: string): boolean {
  return spawnSync(path, ["--version"], { stdio: "ignore", timeout: 30_000 }).status === 0;
}

// Debian starts the service of an installed package unless policy-rc.d forbids it.
const APT_INSTALL = `
  policy=/usr/sbin/policy-rc.d
  trap 'exit 130' INT TERM
  if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\\nexit 101\\n' > "$policy" && chmod 755 "$policy"
  fi
  apt-get -q -o DPkg::Lock::Timeout=120 -o Acquire::http::Timeout=20 update
  apt-get -q -o DPkg::Lock::Timeout=120 -o Acquire::http::Timeout=20 install -y --no-install-recommends "$1"
`;

function installDebianPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || find(["apt-get"]) === undefined) return false;
  return install(`${name} with apt-get`, "sh", ["-c", APT_INSTALL, "sh", name]);
}

/** Needs the system libraries of a desktop or a CI image, but not root. */
function installPlaywrightChromium(): boolean {
  return install("Chromium with Playwright", "playwright", ["install", "chromium"]);
}

function install(what: string, command: string, args: readonly string[]): boolean {
  process.stdout.write(`Installing ${what} …\n`);
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout: 10 * 60_000,
  });
  if (status !== 0) process.stdout.write(`It failed:\n${error?.message ?? stdout + stderr}\n`);
  return status === 0;
}
