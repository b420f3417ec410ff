// Rules of this project for oxlint, which its own rules cannot express.
import { definePlugin, defineRule, type ESTree } from "@oxlint/plugins";

/** Requires that a directive names the rules that it disables and gives a reason. Rules are configured in oxlint.config.ts alone. */
const explainedDirectives = defineRule({
  meta: {
    type: "problem",
    schema: [],
    messages: {
      unexplained: "Line {{line}}: give a reason: `{{kind}} <rule> -- <reason>`.",
      unlimited: "Line {{line}}: name the rules that `{{kind}}` disables.",
      inline: "Line {{line}}: configure rules in oxlint.config.ts only.",
    },
  },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const [directive = "", reason = ""] = comment.value.split(/\s-{2,}\s/u);
          const [kind = "", ...rules] = directive.trim().split(/\s+/u);
          // At the beginning of the file, because a directive without rules would silence a report at its own place.
          const loc = { start: { line: 1, column: 0 }, end: { line: 1, column: 0 } };
          const report = (messageId: string): void => {
            context.report({ loc, messageId, data: { kind, line: String(comment.loc.start.line) } });
          };
          if (comment.type === "Block" && (kind === "eslint" || kind === "oxlint")) report("inline");
          if (!/^(eslint|oxlint)-disable(-next-line|-line)?$/u.test(kind)) continue;
          if (rules.length === 0) report("unlimited");
          if (reason.trim() === "") report("unexplained");
        }
      },
    };
  },
});

/** The name of a global that is called, such as `randomUUID` of `randomUUID()` and of `crypto.randomUUID()`. */
function calledName({ callee }: ESTree.CallExpression): string | undefined {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type === "MemberExpression" && callee.property.type === "Identifier") return callee.property.name;
  return undefined;
}

function isMember(node: ESTree.MemberExpression, object: string, property: string): boolean {
  return (
    node.object.type === "Identifier" &&
    node.object.name === object &&
    node.property.type === "Identifier" &&
    node.property.name === property
  );
}

/** Requires the file's extension in relative imports. The path may have a query for Vite. */
const importExtensions = defineRule({
  meta: { type: "problem", schema: [] },
  create(context) {
    const check = ({ source }: { source?: ESTree.Expression | null }): void => {
      if (source?.type !== "Literal" || typeof source.value !== "string" || !/^\.{1,2}\//u.test(source.value)) return;
      if (/\.(tsx?|[cm]?js|json|css|svg|wasm)(\?[\w&-]+)?$/u.test(source.value)) return;
      context.report({
        node: source,
        message: "End relative imports with the file's extension: Node runs these files without a build.",
      });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
    };
  },
});

const time = defineRule({
  meta: { type: "problem", schema: [] },
  create(context) {
    const report = (node: ESTree.Node): void => {
      context.report({ node, message: "Take the time from app/platform/clock, so that tests can control it." });
    };
    return {
      MemberExpression(node) {
        if (isMember(node, "Date", "now")) report(node);
      },
      NewExpression(node) {
        if (node.callee.type === "Identifier" && node.callee.name === "Date" && node.arguments.length === 0)
          report(node);
      },
      CallExpression(node) {
        if (node.callee.type === "Identifier" && node.callee.name === "Date") report(node);
      },
    };
  },
});

const randomness = defineRule({
  meta: { type: "problem", schema: [] },
  create(context) {
    const report = (node: ESTree.Node): void => {
      context.report({ node, message: "Take random values from app/platform/ids, so that tests can control them." });
    };
    return {
      MemberExpression(node) {
        if (isMember(node, "Math", "random")) report(node);
      },
      CallExpression(node) {
        if (/^(random(UUID|Bytes|Int|Fill|FillSync)|getRandomValues)$/u.test(calledName(node) ?? "")) report(node);
      },
    };
  },
});

/** Normalizing takes long for a long text, and the length of a text may not have been checked. */
const normalize = defineRule({
  meta: { type: "problem", schema: [] },
  create(context) {
    return {
      MemberExpression(node) {
        const named =
          (node.property.type === "Identifier" && node.property.name === "normalize") ||
          (node.property.type === "Literal" && node.property.value === "normalize");
        if (!named) return;
        context.report({ node, message: "Normalize text with app/platform/normal-form, which bounds its length." });
      },
    };
  },
});

export default definePlugin({
  meta: { name: "house" },
  rules: {
    "explained-directives": explainedDirectives,
    "import-extensions": importExtensions,
    normalize,
    time,
    randomness,
  },
});
