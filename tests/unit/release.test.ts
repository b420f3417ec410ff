import { execFile } from "node:child_process";
import { cp, glob, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { missingSettings, PACKAGES, readVersion, releaseProblems } from "../../release/checks.ts";
import { fileProblems } from "../../release/packages.ts";
import { release, runSteps, stepsOf } from "../../release/run.ts";
import { needs } from "../support/programs/needs.ts";
import { git } from "../support/programs/programs.ts";

const execute = promisify(execFile);
const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
/** What a release reads. */
const FILES = [
  "CHANGELOG.md",
  "Dockerfile",
  "docs/openapi.json",
  "examples/react-storefront/package.json",
  "ops/kubernetes/kustomization.yaml",
  "package-lock.json",
  "package.json",
  "packages/react/CHANGELOG.md",
  "packages/react/package.json",
  "packages/sdk/CHANGELOG.md",
  "packages/sdk/package.json",
  "packages/sdk/src/server.ts",
  "shopify.app.toml",
];
/** A day after that of every version. */
const TODAY = "9999-01-01";
const version = await readVersion(PROJECT);

let folder: string;

async function runGit(...args: string[]): Promise<void> {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  await execute("git", [...identity, ...args], { cwd: folder });
}

/** Replaces text in a file, and commits the file. */
async function edit(file: string, found: string, replacement: string): Promise<void> {
  const text = await readFile(path.join(folder, file), "utf8");
  expect(text).toContain(found);
  await writeFile(path.join(folder, file), text.replace(found, replacement));
  await runGit("commit", "--all", "--quiet", "--message", "Edit");
}

/** Makes a release of the folder. @returns what it says, and whether it succeeded */
async function run(...args: string[]): Promise<{ passed: boolean; said: string }> {
  const lines: string[] = [];
  const passed = await release(args, { folder, env: {}, today: TODAY, say: (line) => lines.push(line) });
  return { passed, said: lines.join("\n") };
}

describe("npm run release", needs(git), () => {
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "wishlist-release-test-"));
    for (const file of FILES) await cp(path.join(PROJECT, file), path.join(folder, file));
    // Between two releases a changelog has entries that a release would move.
    for (const file of FILES.filter((name) => name.endsWith("CHANGELOG.md"))) {
      const text = await readFile(path.join(folder, file), "utf8");
      await writeFile(path.join(folder, file), text.replace(/## \[Unreleased\].*?(?=## \[)/s, ""));
    }
    await runGit("init", "--quiet", "--initial-branch", "main");
    await runGit("add", "--all");
    await runGit("commit", "--quiet", "--message", "Files of the release");
  });
  afterEach(() => rm(folder, { recursive: true }));

  test("the files of this project name one version, with a date", async () => {
    expect(await releaseProblems(folder, TODAY)).toEqual([]);
  });

  describe("a version can't be released when", () => {
    test.each([
      ["package-lock.json", `"version": "${version}"`, `"version": "0.0.1"`, undefined],
      [
        "packages/sdk/package.json",
        `"version": "${version}"`,
        `"version": "0.0.1"`,
        "packages/sdk/package.json: has 0.0.1",
      ],
      ["packages/react/package.json", `"^${version}"`, `"^0.0.1"`, "packages/react/package.json, its peer: has ^0.0.1"],
      ["examples/react-storefront/package.json", `/sdk": "${version}"`, `/sdk": "0.0.1"`, "the SDK: has 0.0.1"],
      ["packages/sdk/src/server.ts", `"${version}"`, `"0.0.1"`, "packages/sdk/src/server.ts: has 0.0.1"],
      ["docs/openapi.json", `"version": "${version}"`, `"version": "0.0.1"`, "docs/openapi.json: has 0.0.1"],
      ["Dockerfile", `VERSION=${version}`, "VERSION=0.0.1", "Dockerfile, ARG VERSION: has 0.0.1"],
      ["ops/kubernetes/kustomization.yaml", `newTag: ${version}`, "newTag: 0.0.1", "kustomization.yaml: has 0.0.1"],
    ])("%s has another one", async (file, found, replacement, problem) => {
      // The first version of the lock file is the project's, which npm repeats under "packages".
      const at = file === "package-lock.json" ? `"name": "wishlist-headless",\n      ${found}` : found;
      await edit(file, at, at.replace(found, replacement));
      const problems = await releaseProblems(folder, TODAY);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(problem ?? "package-lock.json, the project: has 0.0.1");
    });

    test("package.json has no number of three parts", async () => {
      await edit("package.json", `"version": "${version}"`, `"version": "1.0"`);
      expect(await releaseProblems(folder, TODAY)).toContain("package.json: 1.0 is no version such as 1.2.3.");
    });

    test.each([
      [
        "has entries under Unreleased",
        `## [${version}]`,
        `## [Unreleased]\n\n- New.\n\n## [${version}]`,
        "move the entries",
      ],
      ["has no date", `## [${version}] - `, `## [${version}] `, "must be"],
      ["begins with another version", `## [${version}] - `, "## [0.0.1] - ", "must be"],
    ])("the changelog %s", async (_title, found, replacement, problem) => {
      await edit("CHANGELOG.md", found, replacement);
      expect((await releaseProblems(folder, TODAY)).join("\n")).toMatch(new RegExp(`^CHANGELOG\\.md: .*${problem}`));
    });

    test("the changelogs' date is in the future", async () => {
      expect((await releaseProblems(folder, "2026-01-01")).map((line) => line.split(":")[0])).toEqual([
        "CHANGELOG.md",
        "packages/sdk/CHANGELOG.md",
        "packages/react/CHANGELOG.md",
      ]);
    });

    test("the working tree is not clean", async () => {
      await writeFile(path.join(folder, "extra.ts"), "");
      expect(await run("--dry-run")).toEqual({
        passed: false,
        said: `The working tree is not clean: commit or remove\n?? extra.ts\n${version} can't be released.`,
      });
    });

    test("the branch is another one", async () => {
      await runGit("checkout", "--quiet", "-b", "feature");
      expect((await run("--dry-run")).said).toContain("The branch is feature: releases are made from main.");
    });

    test("the tag exists", async () => {
      await runGit("tag", `v${version}`);
      expect((await run("--dry-run")).said).toContain(`The tag v${version} exists: raise the version.`);
    });

    test("a package is private", async () => {
      await edit("packages/sdk/package.json", `"type": "module"`, `"private": true,\n  "type": "module"`);
      expect(await releaseProblems(folder, TODAY)).toEqual([
        "packages/sdk/package.json: npm does not publish a private package.",
      ]);
    });

    test("settings of the deployment are missing", async () => {
      const { passed, said } = await run();
      expect(passed).toBe(false);
      expect(said).toContain("Set SHOPIFY_APP_URL");
      expect((await execute("git", ["tag"], { cwd: folder })).stdout).toBe("");
    });
  });

  test("a set address of the app is not missing", async () => {
    const missing = await missingSettings(folder, { SHOPIFY_APP_URL: "https://app.example.org" });
    expect(missing.filter((line) => line.includes("SHOPIFY_APP_URL"))).toEqual([]);
  });

  test("an unknown option ends the process with status 1 and the usage", async () => {
    const command = [path.join(PROJECT, "release/run.ts"), "--force"];
    await expect(execute(process.execPath, command)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Unknown option '--force'.*\nUse: npm run release \[-- --dry-run\]\n$/s),
    });
  });

  test("a release tags first, then publishes packages, images and extensions", () => {
    const commands = stepsOf("1.2.3", "registry.example.org/wishlist", "0f1e2d").map((step) => step.join(" "));
    expect(commands).toEqual([
      "git tag --annotate v1.2.3 --message Release 1.2.3",
      "git push origin v1.2.3",
      "npm publish --provenance --access public ./packages/sdk",
      "npm publish --provenance --access public ./packages/react",
      "docker build --tag registry.example.org/wishlist:1.2.3 --build-arg REVISION=0f1e2d --target external .",
      "docker push registry.example.org/wishlist:1.2.3",
      "docker build --tag registry.example.org/wishlist:1.2.3-embedded --build-arg REVISION=0f1e2d .",
      "docker push registry.example.org/wishlist:1.2.3-embedded",
      "shopify app deploy --allow-updates --version 1.2.3",
    ]);
  });

  test("a release ends at the first command that fails, and names those that remain", async () => {
    const lines: string[] = [];
    const steps = [
      ["git", "tag", "first"],
      ["git", "tag", "first"],
      ["git", "tag", "second"],
    ] as const;
    expect(await runSteps(steps, folder, (line) => lines.push(line))).toBe(false);
    expect((await execute("git", ["tag"], { cwd: folder })).stdout).toBe("first\n");
    expect(lines.at(-1)?.split("\n").slice(-2)).toEqual(["  git tag first", "  git tag second"]);
  });

  test("every workspace that a release does not publish is private", async () => {
    const others: string[] = [];
    for await (const file of glob("{packages,examples}/*/package.json", { cwd: PROJECT })) {
      if (PACKAGES.every((folder) => file !== `${folder}/package.json`)) others.push(file);
    }
    expect(others.sort()).toEqual(["examples/react-storefront/package.json", "packages/devstore/package.json"]);
    for (const file of others) {
      expect(JSON.parse(await readFile(path.join(PROJECT, file), "utf8"))).toMatchObject({ private: true });
    }
  });

  test("a package has its exports and documents, and nothing else", () => {
    const files = ["package.json", "README.md", "CHANGELOG.md", "dist/index.js", "dist/index.d.ts", "src/index.ts"];
    const entries = ["./dist/index.d.ts", "./dist/index.js"];
    expect(fileProblems("sdk", files, entries)).toEqual([]);
    expect(fileProblems("sdk", files.filter((file) => file !== "dist/index.js").concat(".env"), entries)).toEqual([
      "sdk: the package lacks dist/index.js.",
      "sdk: the package must not contain .env.",
    ]);
  });
});
