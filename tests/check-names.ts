// Refuses identifiers and file names that contain a word which docs/glossary.md bans. Only declarations count: names of libraries are theirs.
import { readFileSync } from "node:fs";
import ts from "typescript";
import { projectFiles } from "./support/project-files.ts";

const GLOSSARY = "docs/glossary.md";
const PUBLIC_HEADING = "## Public names";
const ROOMS = "{app,bench,examples,extensions,packages,prisma,release,seed,server,storefront-browser,tests}/**";
/** Pictures are named after products. */
const PICTURES = "packages/devstore/pictures/";

/** The words and pairs of words in `code` in the last column of the glossary's tables. */
function bannedWords(tables: string): Set<string> {
  const words = new Set<string>();
  for (const line of tables.split("\n")) {
    if (!line.startsWith("|")) continue;
    const lastColumn = line.split("|").at(-2) ?? "";
    for (const [, word = ""] of lastColumn.matchAll(/`([a-z ]+)`/g)) words.add(word);
  }
  return words;
}

const [tables = "", publicNames = ""] = readFileSync(GLOSSARY, "utf8").split(PUBLIC_HEADING);
const banned = bannedWords(tables);
const published = new Set(Array.from(publicNames.matchAll(/`(\w+)`/g), ([, name = ""]) => name));

/** Splits camelCase, snake_case, kebab-case and paths into lower-case words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase());
}

/** Returns the banned word or pair of words in a name. */
function bannedIn(name: string): string | undefined {
  if (published.has(name)) return undefined;
  const words = wordsOf(name);
  const pairs = words.slice(1).map((word, index) => `${words[index] ?? ""} ${word}`);
  return [...words, ...pairs].find((one) => banned.has(one));
}

const problems: string[] = [];

function check(name: string, place: string): void {
  const word = bannedIn(name);
  if (word !== undefined) problems.push(`${place}: \`${name}\` contains "${word}"`);
}

/** A name that this project chooses: of a declaration, not of a use or an import. */
function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.name === node && parent.propertyName !== undefined;
  if (ts.isImportSpecifier(parent)) return parent.name === node && parent.propertyName !== undefined;
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isFunctionDeclaration(parent) ||
      ts.isFunctionExpression(parent) ||
      ts.isParameter(parent) ||
      ts.isClassDeclaration(parent) ||
      ts.isInterfaceDeclaration(parent) ||
      ts.isTypeAliasDeclaration(parent) ||
      ts.isTypeParameterDeclaration(parent) ||
      ts.isEnumDeclaration(parent) ||
      ts.isEnumMember(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isMethodSignature(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isGetAccessorDeclaration(parent)) &&
    parent.name === node
  );
}

function checkTypeScript(file: string): void {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, kind);
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isDeclared(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      check(node.text, `${file}:${line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

/** Names of tables, columns, functions and parameters; texts and comments do not count. */
function checkSql(file: string): void {
  const lines = readFileSync(file, "utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    const code = line.replace(/'[^']*'/g, "''").replace(/(?:--|\/\/).*$/, "");
    for (const [name] of code.matchAll(/[A-Za-z_]\w*/g)) check(name, `${file}:${index + 1}`);
  }
}

for (const file of projectFiles(ROOMS).filter((one) => !one.startsWith(PICTURES))) {
  check(file, file);
  if (/\.tsx?$/.test(file)) checkTypeScript(file);
  else if (/\.(?:sql|prisma)$/.test(file)) checkSql(file);
}

if (problems.length > 0) {
  process.stdout.write(`${problems.join("\n")}\n${problems.length} names use words that ${GLOSSARY} bans.\n`);
  process.exitCode = 1;
}
