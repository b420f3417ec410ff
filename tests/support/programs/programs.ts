import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { chromium as playwrightChromium } from "playwright";

/** A program that tests start and that npm does not install. Without it, those tests are skipped. */
export interface Program {
  readonly title: string;
  /** environment variable with the program's path; overrides the candidates */
  readonly variable: string;
  /** commands on the PATH, or absolute paths; the first that runs is taken */
  readonly candidates: readonly string[];
  /** the executable, if the variable and the candidates name its folder */
  readonly executable?: string;
  /** ways to install the program with CI=1, tried in order; each returns whether it succeeded */
  readonly installers: readonly (() => boolean)[];
  /** name of the package that contains it */
  readonly packages: { readonly apt?: string; readonly brew?: string };
  /** a command that installs it where no package does */
  readonly command?: string;
  /** whether its tests may be skipped with CI=1, too */
  readonly optionalOnCi?: boolean;
}

/** Playwright's own command. It installs what Chromium needs from the system, too, for which it asks for root's rights. */
export const PLAYWRIGHT_INSTALL = "npx playwright install --with-deps chromium";

export const redisServer: Program = {
  title: "Redis",
  variable: "WISHLIST_TEST_REDIS_SERVER",
  candidates: ["redis-server", "valkey-server"],
  installers: [() => installDebianPackage("redis-server")],
  packages: { apt: "redis-server", brew: "redis" },
};

/** Chromium with the features that its headless shell lacks, such as the back/forward cache. */
export const chromium: Program = {
  title: "full Chromium",
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
  packages: { apt: "chromium" },
  command: PLAYWRIGHT_INSTALL,
};

/** The headless shell of the same browser, which renders pages in two thirds of the time. */
export const headlessShell: Program = {
  title: "Chromium's headless shell",
  variable: "WISHLIST_TEST_HEADLESS_SHELL",
  candidates: ["chromium-headless-shell"],
  installers: [() => installDebianPackage("chromium-headless-shell")],
  packages: { apt: "chromium-headless-shell" },
  command: PLAYWRIGHT_INSTALL,
  optionalOnCi: true,
};

export const python: Program = {
  title: "Python",
  variable: "WISHLIST_TEST_PYTHON",
  candidates: ["python3", "python"],
  installers: [() => installDebianPackage("python3")],
  packages: { apt: "python3", brew: "python" },
};

export const ruby: Program = {
  title: "Ruby",
  variable: "WISHLIST_TEST_RUBY",
  candidates: ["ruby"],
  installers: [() => installDebianPackage("ruby")],
  packages: { apt: "ruby", brew: "ruby" },
};

/** Runs the samples of the documents. They call it by its name. */
export const curl: Program = {
  title: "curl",
  variable: "WISHLIST_TEST_CURL",
  candidates: ["curl"],
  installers: [() => installDebianPackage("curl")],
  packages: { apt: "curl", brew: "curl" },
};

/** The shell of macOS. It runs the samples of the documents, besides bash. */
export const zsh: Program = {
  title: "zsh",
  variable: "WISHLIST_TEST_ZSH",
  candidates: ["zsh"],
  installers: [() => installDebianPackage("zsh")],
  packages: { apt: "zsh", brew: "zsh" },
};

/** A release is a tag of a repository. */
export const git: Program = {
  title: "Git",
  variable: "WISHLIST_TEST_GIT",
  candidates: ["git"],
  installers: [() => installDebianPackage("git")],
  packages: { apt: "git", brew: "git" },
};

/** Prometheus' tool for rules and metrics. */
export const promtool: Program = {
  title: "promtool",
  variable: "WISHLIST_TEST_PROMTOOL",
  candidates: ["promtool"],
  installers: [() => installDebianPackage("prometheus")],
  packages: { apt: "prometheus", brew: "prometheus" },
};

/** An earlier major version than the embedded PostgreSQL. Debian 12 has this one, other releases have others. */
export const postgres15: Program = {
  title: "PostgreSQL 15",
  variable: "WISHLIST_TEST_POSTGRES_15",
  candidates: ["/usr/lib/postgresql/15/bin"],
  executable: "postgres",
  installers: [],
  packages: { apt: "postgresql-15" },
  optionalOnCi: true,
};

/** Programs without which tests are skipped. */
export const OPTIONAL_PROGRAMS = [redisServer, chromium, python, ruby, curl, zsh, git, promtool, postgres15] as const;

/** Results of earlier searches. Workers of vitest search again. */
const known = new Map<Program, string | undefined>();

/**
 * Returns the program's absolute path, or undefined when it is missing.
 * @throws Error when the environment variable names a program that does not run
 */
export function find(program: Program): string | undefined {
  if (!known.has(program)) known.set(program, search(program));
  return known.get(program);
}

function search({ variable, candidates, executable }: Program): string | undefined {
  const given = process.env[variable] ?? "";
  if (given === "") return firstThatRuns(candidates, executable);
  const found = firstThatRuns([given], executable);
  if (found === undefined) throw new Error(`${variable}=${given} does not run.`);
  return found;
}

/** Returns the program's absolute path like `find`, but first installs a missing program on CI. */
export function provide(program: Program): string | undefined {
  for (const install of isCi() ? program.installers : []) {
    if (find(program) !== undefined) break;
    if (install()) known.delete(program);
  }
  return find(program);
}

/** CI services set CI to `true` or `1`. */
export function isCi(): boolean {
  return !["", "0", "false"].includes(process.env["CI"] ?? "");
}

/** Returns the commands that install programs on this system: one for its packages, and one for what has no package there. */
export function installCommands(programs: readonly Program[]): string[] {
  const hasApt = firstThatRuns(["apt-get"]) !== undefined;
  const packageOf = ({ packages }: Program): string | undefined => (hasApt ? packages.apt : packages.brew);
  const names = programs.map(packageOf).filter((name) => name !== undefined);
  const installer = hasApt ? `${process.getuid?.() === 0 ? "" : "sudo "}apt-get install` : "brew install";
  const others = programs.filter((program) => packageOf(program) === undefined).map(({ command }) => command);
  return [
    ...(names.length > 0 ? [[installer, ...names].join(" ")] : []),
    ...new Set(others.filter((command) => command !== undefined)),
  ];
}

/** @returns the first candidate that runs */
function firstThatRuns(candidates: readonly string[], executable = ""): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return candidates
    .flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))))
    .find((path) => runs(join(path, executable)));
}

/** The file may be a stub (Ubuntu's chromium-browser requires snap) or lack its libraries. */
export function runs(path: string): boolean {
  return isExecutable(path) && spawnSync(path, ["--version"], { stdio: "ignore", timeout: 30_000 }).status === 0;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
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
  if (process.getuid?.() !== 0 || firstThatRuns(["apt-get"]) === undefined) return false;
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
