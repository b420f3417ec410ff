// Refuses long lines in Markdown, which are hard to read in a diff. Tables and code have the lines that they need.
import { readFileSync } from "node:fs";
import { projectFiles } from "./support/project-files.ts";

const MOST_CHARACTERS = 159;

const problems: string[] = [];
for (const file of projectFiles("**/*.md")) {
  let isCode = false;
  for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    else if (!isCode && !/^\s*\|/.test(line) && line.length > MOST_CHARACTERS)
      problems.push(`${file}:${index + 1}: ${line.length} characters`);
  }
}
if (problems.length > 0) {
  process.stdout.write(
    `${problems.join("\n")}\nBreak lines of Markdown after at most ${MOST_CHARACTERS} characters.\n`,
  );
  process.exitCode = 1;
}
