// Refuses long lines in Markdown, which are hard to read in a diff. Tables and code have the lines that they need.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const MOST_CHARACTERS = 159;

const problems: string[] = [];
const files = execFileSync("git", ["ls-files", "-z", "*.md"], { encoding: "utf8" }).split("\0").filter(existsSync);
for (const file of files) {
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
