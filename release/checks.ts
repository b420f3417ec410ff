import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { z } from "zod";

const execute = promisify(execFile);

/** The branch from which releases are made. */
const BRANCH = "main";
/** The packages, in the order in which they are published: the second one needs the first one. */
export const PACKAGES = ["packages/sdk", "packages/react"] as const;
const SDK = "@wishlist-headless/sdk";
const CHANGELOGS = [".", ...PACKAGES].map((folder) => path.join(folder, "CHANGELOG.md"));
const MANIFEST = "ops/kubernetes/kustomization.yaml";

const packageSchema = z.object({
  version: z.string(),
  private: z.boolean().optional(),
  repository: z.object({ url: z.string() }).optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});
const lockSchema = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });
const manifestSchema = z.object({ images: z.tuple([z.object({ newName: z.string(), newTag: z.string() })]) });

/** Reads the files of a project's folder. */
function reader(folder: string) {
  const text = (file: string): Promise<string> => readFile(path.join(folder, file), "utf8");
  return {
    text,
    json: async (file: string): Promise<unknown> => JSON.parse(await text(file)),
    manifest: async () => manifestSchema.parse(parseYaml(await text(MANIFEST))).images[0],
    package: async (at: string) => packageSchema.parse(JSON.parse(await text(path.join(at, "package.json")))),
  };
}

/** Returns the version of the release: that of package.json. */
export async function readVersion(folder: string): Promise<string> {
  return (await reader(folder).package(".")).version;
}

/** Returns the name of the container image, without a tag. */
export async function readImage(folder: string): Promise<string> {
  return (await reader(folder).manifest()).newName;
}

/** Returns each place that names the release's version, with what it has. */
async function versionsOf(folder: string): Promise<[place: string, found: string | undefined, expected: string][]> {
  const read = reader(folder);
  const version = await readVersion(folder);
  const example = "examples/react-storefront";
  const lock = lockSchema.parse(await read.json("package-lock.json")).packages;
  const react = await read.package("packages/react");
  const { dependencies } = await read.package(example);
  const api = z.object({ info: z.object({ version: z.string() }) }).parse(await read.json("docs/openapi.json"));
  return [
    ...["", ...PACKAGES, example].map((name): [string, string | undefined, string] => [
      `package-lock.json, ${name === "" ? "the project" : name}`,
      lock[name]?.version,
      version,
    ]),
    ...(await Promise.all(
      [...PACKAGES, example].map(async (at): Promise<[string, string, string]> => [
        `${at}/package.json`,
        (await read.package(at)).version,
        version,
      ]),
    )),
    ["packages/react/package.json, its peer", react.peerDependencies[SDK], `^${version}`],
    [`${example}/package.json, the SDK`, dependencies[SDK], version],
    [`${example}/package.json, the React package`, dependencies["@wishlist-headless/react"], version],
    [
      "packages/sdk/src/server.ts",
      /^const VERSION = "(.*)";$/m.exec(await read.text("packages/sdk/src/server.ts"))?.[1],
      version,
    ],
    ["docs/openapi.json", api.info.version, version],
    ["Dockerfile, ARG VERSION", /^ARG VERSION=(.*)$/m.exec(await read.text("Dockerfile"))?.[1], version],
    [MANIFEST, (await read.manifest()).newTag, version],
  ];
}

async function versionProblems(folder: string): Promise<string[]> {
  const version = await readVersion(folder);
  if (!/^\d+\.\d+\.\d+$/.test(version)) return [`package.json: ${version} is no version such as 1.2.3.`];
  return (await versionsOf(folder))
    .filter(([, found, expected]) => found !== expected)
    .map(([place, found, expected]) => `${place}: has ${found ?? "no version"} instead of ${expected}.`);
}

/** Compares a changelog with the version. @param today as in `2026-11-26` */
function changelogProblems(file: string, text: string, version: string, today: string): string[] {
  const [, ...sections] = text.split(/^## /m);
  const problems: string[] = [];
  const unreleased = sections.find((section) => section.startsWith("[Unreleased]"));
  if (unreleased !== undefined && unreleased.trim() !== "[Unreleased]")
    problems.push(`${file}: move the entries under "Unreleased" to ${version}.`);
  const [latest = ""] = sections.filter((section) => section !== unreleased);
  const [, found, date] = /^\[(.+?)\] - (\d{4}-\d{2}-\d{2})$/m.exec(latest.split("\n", 1)[0] ?? "") ?? [];
  if (found !== version || date === undefined)
    problems.push(`${file}: the first heading after "Unreleased" must be "## [${version}] - <date>".`);
  else if (date > today) problems.push(`${file}: the date of ${version}, ${date}, is in the future.`);
  else if (latest.trim().split("\n").length === 1) problems.push(`${file}: ${version} has no entries.`);
  return problems;
}

/** Runs git in a folder. @returns its output without the last line break */
async function git(folder: string, ...args: string[]): Promise<string> {
  return (await execute("git", args, { cwd: folder })).stdout.trimEnd();
}

/** Returns the commit that is checked out. */
export function readRevision(folder: string): Promise<string> {
  return git(folder, "rev-parse", "HEAD");
}

async function repositoryProblems(folder: string, version: string): Promise<string[]> {
  const [status, branch, tag] = await Promise.all([
    git(folder, "status", "--porcelain"),
    git(folder, "branch", "--show-current"),
    git(folder, "tag", "--list", `v${version}`),
  ]);
  return [
    ...(status === "" ? [] : [`The working tree is not clean: commit or remove\n${status}`]),
    ...(branch === BRANCH
      ? []
      : [`The branch is ${branch === "" ? "detached" : branch}: releases are made from ${BRANCH}.`]),
    ...(tag === "" ? [] : [`The tag v${version} exists: raise the version.`]),
  ];
}

/** Returns what keeps a folder from being released, apart from what takes a build. */
export async function releaseProblems(folder: string, today: string): Promise<string[]> {
  const version = await readVersion(folder);
  const read = reader(folder);
  const changelogs = await Promise.all(
    CHANGELOGS.map(async (file) => changelogProblems(file, await read.text(file), version, today)),
  );
  const isPrivate = await Promise.all(
    PACKAGES.map(async (at) =>
      (await read.package(at)).private === true ? [`${at}/package.json: npm does not publish a private package.`] : [],
    ),
  );
  return [
    ...(await versionProblems(folder)),
    ...changelogs.flat(),
    ...isPrivate.flat(),
    ...(await repositoryProblems(folder, version)),
  ];
}

/** Returns what the owner of a deployment has to set before anything can be published. */
export async function missingSettings(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const read = reader(folder);
  const missing: string[] = [];
  for (const at of PACKAGES) {
    const { repository } = await read.package(at);
    if (repository === undefined || repository.url.includes("github.com/example/"))
      missing.push(`${at}/package.json: set the address of the repository, which npm compares with the provenance.`);
  }
  if ((await readImage(folder)).startsWith("registry.example.com/"))
    missing.push(`${MANIFEST}: set the name of the image in your registry.`);
  const { client_id: clientId } = z
    .object({ client_id: z.string() })
    .parse(parseToml(await read.text("shopify.app.toml")));
  if (clientId === "") missing.push("shopify.app.toml: run `npm run shopify:configure` and commit what it writes.");
  if (!env["SHOPIFY_APP_URL"]) missing.push("Set SHOPIFY_APP_URL, which the deployment of the extensions needs.");
  return missing;
}
