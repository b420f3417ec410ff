import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { samplesOf } from "../support/documents/samples.ts";

const TOP = fileURLToPath(new URL("../../", import.meta.url));
const DOCUMENTS = globSync(
  ["*.md", "docs/**/*.md", "{app,prisma,tests}/**/README.md", "{examples,packages}/*/README.md"],
  { cwd: TOP },
);
const ROOMS = "app|bench|docs|extensions|ops|packages|prisma|server|storefront-browser|tests";

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function anchorsOf(markdown: string): string[] {
  return Array.from(markdown.matchAll(/^#+ (.*)$/gm), ([, heading = ""]) => anchorOf(heading));
}

describe.each(DOCUMENTS)("%s", (document) => {
  const markdown = readFileSync(path.join(TOP, document), "utf8");

  test("links to files and headings that exist", () => {
    const broken = Array.from(markdown.matchAll(/\]\((?!https?:)([^)\s]+)\)/g), ([, target = ""]) => target).filter(
      (target) => {
        const [file = "", anchor] = target.split("#");
        const found = file === "" ? path.join(TOP, document) : path.join(TOP, path.dirname(document), file);
        if (!existsSync(found)) return true;
        return anchor !== undefined && !anchorsOf(readFileSync(found, "utf8")).includes(anchor);
      },
    );
    expect(broken).toEqual([]);
  });

  test("has shell samples without comments, which zsh does not know on a terminal", () => {
    const commented = samplesOf(markdown).filter(({ language, code }) => language === "sh" && /(?:^|\s)#/m.test(code));
    expect(commented.map(({ line }) => line)).toEqual([]);
  });

  test("names files of the project that exist", () => {
    const paths = Array.from(
      markdown.matchAll(new RegExp(String.raw`\`((?:${ROOMS})/[\w./$[\]-]*\.\w+)\``, "g")),
      ([, file = ""]) => file,
    );
    expect(paths.filter((file) => !existsSync(path.join(TOP, file)))).toEqual([]);
  });
});
