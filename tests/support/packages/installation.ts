import { build } from "esbuild";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const TOP = fileURLToPath(new URL("../../../", import.meta.url));
const FIXTURES = fileURLToPath(new URL("../../packages/fixtures/", import.meta.url));

/** The published packages. */
export const PACKAGES = ["sdk", "react"];

/** An empty project that has installed the packages as npm would publish them. */
export interface Installation {
  folder: string;
  /** Returns the path of a package as npm would publish it. */
  tarball: (name: string) => string;
  /** Bundles a module of the project. */
  bundle: (source: string, external?: readonly string[]) => Promise<string>;
  remove: () => Promise<void>;
}

/** Packs the packages and installs them in a new folder, beside the fixtures. */
export async function installPackages(): Promise<Installation> {
  const folder = await mkdtemp(path.join(tmpdir(), "wishlist-packages-"));
  await run("npm", ["run", "packages"], { cwd: TOP });
  const sources = PACKAGES.map((name) => `./packages/${name}`);
  await run("npm", ["pack", "--pack-destination", folder, ...sources], { cwd: TOP });
  const tarballs = await readdir(folder);
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  // Their only peer, React, is not needed here.
  const options = ["--offline", "--no-audit", "--no-fund", "--legacy-peer-deps"];
  await run("npm", ["install", ...options, ...tarballs.map((name) => `./${name}`)], { cwd: folder });
  await cp(FIXTURES, folder, { recursive: true });
  return {
    folder,
    tarball(name) {
      const file = tarballs.find((tarball) => tarball.includes(`-${name}-`));
      if (file === undefined) throw new Error(`npm has not packed ${name}`);
      return path.join(folder, file);
    },
    async bundle(source, external = []) {
      const { outputFiles } = await build({
        stdin: { contents: source, resolveDir: folder, loader: "ts" },
        bundle: true,
        minify: true,
        format: "esm",
        target: "es2022",
        write: false,
        external: [...external],
      });
      return outputFiles.map((file) => file.text).join("");
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
