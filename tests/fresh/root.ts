import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onEnd } from "../../bench/lifetime.ts";

const TOP = fileURLToPath(new URL("../../", import.meta.url));
const RELEASE = "bookworm";
const USER = "developer";
/** the copy of the project, as a path inside the root */
const PROJECT = `/home/${USER}/wishlist-headless`;
const DEFAULT_ARCHIVE = "http://deb.debian.org/debian";
const SOURCES = "/etc/apt/sources.list";

/** Settings of npm that say how to reach the registry. Credentials are not copied. */
const NPM_SETTINGS = ["registry", "cafile", "proxy", "https-proxy", "noproxy"];
const NETWORK_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];
const CERTIFICATE_VARIABLES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"];

// The mounts exist in a mount namespace of this shell only, and the processes in a PID namespace: both end with it. The shell does not
// replace itself with the command, because the first process of a PID namespace has to reap the others.
const ENTER = `
  root=$1; shift
  mount --rbind /dev "$root/dev" && mount -t proc proc "$root/proc" || exit 125
  chroot --userspec=${USER}:${USER} "$root" env --ignore-environment --chdir=${PROJECT} "$@"
  exit $?
`;

function run(command: string, args: readonly string[], cwd = TOP): string {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 2 ** 28 });
}

/** Returns the address from which this machine's apt gets Debian's packages. */
function debianArchive(): string {
  const folder = `${SOURCES}.d`;
  const lists = existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
  for (const file of [SOURCES, ...lists].filter((name) => existsSync(name))) {
    for (const stanza of readFileSync(file, "utf8").split(/\n\s*\n/)) {
      const uri = /^URIs:\s*(\S+)/m.exec(stanza)?.[1] ?? /^deb\s+(?:\[[^\]]*\]\s*)?(\S+)/m.exec(stanza)?.[1];
      if (uri !== undefined && new RegExp(`\\s${RELEASE}\\s[^]*\\bmain\\b`).test(stanza)) return uri;
    }
  }
  return DEFAULT_ARCHIVE;
}

/** Copies the machine's Node and npm, not those of node_modules, which npm scripts find first. */
function copyNode(root: string): void {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((one) => !one.includes("node_modules"));
  const find = (name: string): string => {
    const found = folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
    if (found === undefined) throw new Error(`${name} is not on the PATH.`);
    return realpathSync(found);
  };
  const bin = path.join(root, "usr/local/bin");
  const npm = path.join(root, "usr/local/lib/node_modules/npm");
  cpSync(find("node"), path.join(bin, "node"));
  cpSync(path.dirname(path.dirname(find("npm"))), npm, { recursive: true, verbatimSymlinks: true });
  for (const name of ["npm", "npx"])
    run("ln", ["-s", `../lib/node_modules/npm/bin/${name}-cli.js`, path.join(bin, name)]);
}

function copyProject(root: string): void {
  const folder = path.join(root, PROJECT);
  mkdirSync(folder);
  // Another user may own the repository, such as on a CI service.
  run("sh", ["-c", `git -c safe.directory='*' archive HEAD | tar --extract --directory "$1"`, "sh", folder]);
  run("chroot", [root, "chown", "--recursive", `${USER}:${USER}`, PROJECT]);
}

/** Returns the environment of the commands. It says how to reach the npm registry, and no more. */
function environment(root: string): Record<string, string> {
  const env: Record<string, string> = { HOME: `/home/${USER}`, PATH: "/usr/local/bin:/usr/bin:/bin", TERM: "dumb" };
  const files: (string | undefined)[] = [];
  for (const name of NPM_SETTINGS) {
    const value = run("npm", ["config", "get", name], "/").trim();
    if (value === "null" || value === "") continue;
    env[`npm_config_${name.replaceAll("-", "_")}`] = value;
    if (name === "cafile") files.push(value);
  }
  for (const name of [...NETWORK_VARIABLES, ...CERTIFICATE_VARIABLES]) {
    const value = process.env[name];
    if (value !== undefined && value !== "") env[name] = value;
  }
  files.push(...CERTIFICATE_VARIABLES.map((name) => env[name]));
  for (const file of files.filter((name) => name !== undefined)) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    cpSync(realpathSync(file), path.join(root, file));
  }
  return env;
}

export function isMade(root: string): boolean {
  return existsSync(path.join(root, PROJECT, "package.json"));
}

/**
 * Makes a root folder with Debian's smallest installation, the machine's Node and npm, and the project at HEAD as the folder of an ordinary
 * user. It has no git, curl, ps, openssl, Python or browser.
 */
export function makeRoot(root: string): void {
  mkdirSync(root, { recursive: true });
  chmodSync(root, 0o755);
  run("debootstrap", ["--variant=minbase", RELEASE, root, debianArchive()]);
  run("chroot", [root, "useradd", "--create-home", USER]);
  for (const file of ["/etc/resolv.conf", "/etc/hosts"]) cpSync(realpathSync(file), path.join(root, file));
  copyNode(root);
  copyProject(root);
}

/** Removes the root. @throws while something is mounted in it, because removing would reach through the mount */
export function removeRoot(root: string): void {
  const mounted = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "")
    .filter((place) => place.startsWith(`${realpathSync(root)}/`));
  if (mounted.length > 0) throw new Error(`Not removed, because something is mounted there: ${mounted.join(", ")}`);
  rmSync(root, { recursive: true, force: true });
}

export interface Started {
  child: ChildProcess;
  /** exit status of the command, or null when this process ended it */
  ended: Promise<number | null>;
}

/** Starts a shell command as the ordinary user in the project's folder inside the root, as the leader of a process group. */
export function start(root: string, command: string, stdout: "inherit" | "pipe" = "inherit"): Started {
  const env = Object.entries(environment(root)).map(([name, value]) => `${name}=${value}`);
  const enter = ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "sh", root];
  const child = spawn("unshare", [...enter, ...env, "sh", "-c", command], {
    detached: true,
    stdio: ["ignore", stdout, "inherit"],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("exit", resolve);
  });
  // unshare blocks SIGTERM. When it is killed, the kernel ends all processes in its namespaces.
  onEnd(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, ended };
}
