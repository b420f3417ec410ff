import { globSync } from "node:fs";

/** What tools write (.gitignore), and what is not ours. Git is not asked: a downloaded archive has no repository. */
const NOT_OURS = [
  "**/node_modules",
  "**/build",
  "**/coverage",
  "**/.cache",
  "**/.data",
  "**/.git",
  "**/.shopify",
  "packages/*/dist",
  "examples/*/dist",
  "extensions/*/dist",
];

/** Returns the project's files that match a pattern, with paths from the top, sorted. */
export function projectFiles(pattern: string): string[] {
  return globSync(pattern, { exclude: NOT_OURS, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => (entry.parentPath === "." ? entry.name : `${entry.parentPath}/${entry.name}`))
    .sort();
}
