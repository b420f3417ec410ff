import { GraphQLError, NoDeprecatedCustomRule, parse, specifiedRules, validate, type GraphQLSchema } from "graphql";
import ts from "typescript";

interface SourceFile {
  path: string;
  text: string;
}

interface Document {
  name: string;
  /** the text, with a `${NAME}` in place of each interpolation */
  text: string;
  /** as `app/shops/store-queries.ts:12` */
  place: string;
  marked: boolean;
}

const MARK = "#graphql";
/** Begins the documents of the Storefront API; the others are of the Admin API. */
const STOREFRONT_MARK = `${MARK} storefront`;
const LOOKS_LIKE_A_DOCUMENT = /^\s*(?:query|mutation|subscription|fragment)\s+\w+[^;]*\{/;

/** Collects the string and template literals of a file that hold GraphQL. */
function documentsIn({ path, text }: SourceFile): Document[] {
  // Parsing every file of the app would take seconds.
  if (!/#graphql|\b(?:query|mutation|subscription|fragment)\s+\w+/.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Document[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const content = node.getText(source).slice(1, -1);
      const marked = content.startsWith(MARK);
      if (marked || LOOKS_LIKE_A_DOCUMENT.test(content)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        const name = ts.isVariableDeclaration(node.parent) ? node.parent.name.getText(source) : "";
        found.push({ name, text: content, place: `${path}:${line + 1}`, marked });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * Finds the GraphQL documents in source files and validates each executable one against a schema.
 * A document is a literal that begins with `#graphql`; it may interpolate others by the name of their constant.
 * @param schema of the Admin API
 * @param storefront the schema of the Storefront API, for documents that begin with `#graphql storefront`
 * @returns the number of operations, and one line for each problem
 */
export function documentProblems(
  schema: GraphQLSchema,
  files: readonly SourceFile[],
  storefront = schema,
): { count: number; problems: string[] } {
  const documents = files.flatMap(documentsIn);
  const texts = new Map(documents.map(({ name, text }) => [name, text]));
  const problems: string[] = [];
  let count = 0;

  const expand = (text: string): string =>
    text.replaceAll(/\$\{([^}]*)\}/g, (_, name: string) => {
      const interpolated = texts.get(name.trim());
      if (interpolated === undefined) throw new Error(`\${${name}} is not a GraphQL document`);
      return expand(interpolated);
    });

  for (const { text, place, marked } of documents) {
    if (!marked) problems.push(`${place}  a GraphQL document must begin with ${MARK}`);
    // Fragments are validated where an operation uses them.
    if (!/^\s*(?:query|mutation|subscription)\b/m.test(text)) continue;
    count++;
    try {
      const errors = validate(text.startsWith(STOREFRONT_MARK) ? storefront : schema, parse(expand(text)), [
        ...specifiedRules,
        NoDeprecatedCustomRule,
      ]);
      problems.push(...errors.map(({ message }) => `${place}  ${message}`));
    } catch (error) {
      const message = error instanceof GraphQLError || error instanceof Error ? error.message : String(error);
      problems.push(`${place}  ${message}`);
    }
  }
  const used = documents.map(({ text }) => text).join("\n");
  for (const { name, text, place } of documents) {
    const isFragment = /^(?:#graphql)?\s*fragment\b/.test(text);
    if (isFragment && !used.includes(`\${${name}}`))
      problems.push(`${place}  the fragment ${name} is used by no operation`);
  }
  return { count, problems };
}
