import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { PACKAGES } from "./checks.ts";

const execute = promisify(execFile);

const packedSchema = z.array(
  z.object({ name: z.string(), filename: z.string(), size: z.int(), files: z.array(z.object({ path: z.string() })) }),
);
const manifestSchema = z.object({
  exports: z.record(z.string(), z.object({ types: z.string(), default: z.string() }).loose()),
});

/** What every package contains beside the files of its exports. */
const REQUIRED = ["package.json", "README.md", "CHANGELOG.md"];
const ALLOWED = /^(?:package\.json|README\.md|CHANGELOG\.md|dist\/.+\.(?:js|d\.ts)(?:\.map)?|src\/.+\.tsx?)$/;

/** Returns what is wrong with the files of a package. @param entries paths of its exports */
export function fileProblems(name: string, files: readonly string[], entries: readonly string[]): string[] {
  const required = [...REQUIRED, ...entries.map((entry) => path.posix.normalize(entry))];
  return [
    ...required.filter((file) => !files.includes(file)).map((file) => `${name}: the package lacks ${file}.`),
    ...files.filter((file) => !ALLOWED.test(file)).map((file) => `${name}: the package must not contain ${file}.`),
  ];
}

/**
 * Packs the packages as npm publishes them, compares their files, installs them in an empty project, and imports every export.
 * @param folder of the project, whose packages are built
 * @returns what is wrong
 */
export async function packageProblems(folder: string, say: (line: string) => void): Promise<string[]> {
  const project = await mkdtemp(path.join(tmpdir(), "wishlist-release-"));
  try {
    const sources = PACKAGES.map((at) => `./${at}`);
    const { stdout } = await execute("npm", ["pack", "--json", "--pack-destination", project, ...sources], {
      cwd: folder,
    });
    const packed = packedSchema.parse(JSON.parse(stdout));
    const problems: string[] = [];
    const modules: string[] = [];
    for (const [index, { name, files, size }] of packed.entries()) {
      say(`${name}: ${files.length} files, ${size} bytes`);
      const text = await readFile(path.join(folder, PACKAGES[index] ?? "", "package.json"), "utf8");
      const { exports } = manifestSchema.parse(JSON.parse(text));
      const entries = Object.values(exports).flatMap((one) => [one.types, one.default]);
      problems.push(
        ...fileProblems(
          name,
          files.map((file) => file.path),
          entries,
        ),
      );
      modules.push(...Object.keys(exports).map((entry) => path.posix.join(name, entry)));
    }
    if (problems.length > 0) return problems;
    await writeFile(path.join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
    const tarballs = packed.map(({ filename }) => `./${filename}`);
    // The project's own copy of React is the peer, so that nothing is downloaded.
    const options = ["--offline", "--no-audit", "--no-fund", "--legacy-peer-deps", "--ignore-scripts"];
    await execute("npm", ["install", ...options, ...tarballs, path.join(folder, "node_modules/react")], {
      cwd: project,
    });
    const source = modules.map((name) => `await import(${JSON.stringify(name)});`).join("\n");
    return await execute(process.execPath, ["--input-type=module", "--eval", source], { cwd: project }).then(
      () => [],
      (error: unknown) => [`An installed copy of the packages can't be imported.\n${String(error)}`],
    );
  } finally {
    await rm(project, { recursive: true });
  }
}
