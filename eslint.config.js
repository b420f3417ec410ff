import { builtinModules } from "node:module";
import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

const environment = "Read the environment through app/platform/env.server.ts, which has its schema.";

// app/ takes time and randomness from app/platform, so that tests can control them.
const time = {
  selector:
    ":matches(MemberExpression[object.name='Date'][property.name='now'], NewExpression[callee.name='Date'][arguments.length=0], CallExpression[callee.name='Date'])",
  message: "Take the time from app/platform/clock, so that tests can control it.",
};
const randomness = {
  selector:
    ":matches(MemberExpression[object.name='Math'][property.name='random'], CallExpression:matches([callee.name=/^random(UUID|Bytes|Int|Fill|FillSync)$/], [callee.property.name=/^(random(UUID|Bytes|Int|Fill|FillSync)|getRandomValues)$/]))",
  message: "Take random values from app/platform/ids, so that tests can control them.",
};

/** Requires that a directive names the rule that it disables and gives a reason. Rules are not configured inside files. */
const explainedDirectives = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      unexplained: "Give a reason: `{{kind}} <rule> -- <reason>`.",
      unlimited: "Name the rules that `{{kind}}` disables.",
      inline: "Configure rules in eslint.config.js only.",
    },
  },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const [directive = "", reason = ""] = comment.value.split(/\s-{2,}\s/u);
          const [kind = "", ...rules] = directive.trim().split(/\s+/u);
          // Column -1 precedes the range of every directive, so a blanket `eslint-disable` cannot silence this rule.
          const loc = { start: { line: comment.loc.start.line, column: -1 }, end: comment.loc.end };
          const report = (messageId) => context.report({ loc, messageId, data: { kind } });
          if (comment.type === "Block" && kind === "eslint") report("inline");
          if (!/^eslint-disable(-next-line|-line)?$/u.test(kind)) continue;
          if (rules.length === 0) report("unlimited");
          if (reason.trim() === "") report("unexplained");
        }
      },
    };
  },
};

export default defineConfig(
  globalIgnores([
    "build/",
    ".data/",
    ".cache/",
    "coverage/",
    "public/",
    "packages/*/dist/",
    "examples/*/dist/",
    "packages/sdk/src/openapi.ts",
    "extensions/*/assets/",
    // Written by Shopify's command line.
    ".shopify/",
    "extensions/*/dist/",
    "extensions/*/shopify.d.ts",
    "tests/devstore/fixtures/extension/",
  ]),
  { linterOptions: { reportUnusedDisableDirectives: "error", reportUnusedInlineConfigs: "error" } },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { house: { rules: { "explained-directives": explainedDirectives } } },
    rules: {
      "house/explained-directives": "error",
      eqeqeq: "error",
      "object-shorthand": "error",
      "no-restricted-imports": [
        "error",
        {
          paths: [
            { name: "node:process", importNames: ["env"], message: environment },
            ...builtinModules
              .filter((name) => !name.startsWith("node:"))
              .map((name) => ({ name, message: `Write node:${name}.` })),
          ],
          patterns: [
            {
              regex: String.raw`^\.{1,2}/(?!.*\.(tsx?|[cm]?js|json|css|svg|wasm)(\?\w+)?$)`,
              message: "End relative imports with the file's extension: Node runs these files without a build.",
            },
          ],
        },
      ],
      "@typescript-eslint/ban-ts-comment": [
        "error",
        { "ts-expect-error": true, "ts-ignore": true, "ts-nocheck": true, "ts-check": false },
      ],
      "@typescript-eslint/consistent-type-exports": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-import-type-side-effects": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "@typescript-eslint/no-unnecessary-condition": [
        "error",
        { allowConstantLoopConditions: "only-allowed-literals" },
      ],
      "@typescript-eslint/no-unused-vars": [
        "error",
        {
          argsIgnorePattern: "^_",
          varsIgnorePattern: "^_",
          destructuredArrayIgnorePattern: "^_",
          ignoreRestSiblings: true,
        },
      ],
      // Remix sends a thrown Response.
      "@typescript-eslint/only-throw-error": ["error", { allow: [{ from: "lib", name: "Response" }] }],
      // An async function without await still turns a throw into a rejection, as callers expect.
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        {
          allowAny: false,
          allowBoolean: true,
          allowNever: false,
          allowNullish: false,
          allowNumber: true,
          allowRegExp: false,
        },
      ],
      "@typescript-eslint/return-await": ["error", "in-try-catch"],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
    },
  },
  {
    // Log through app/platform/log; the command line and the demo write to process.stdout.
    files: ["app/**", "server/**"],
    rules: { "no-console": "error" },
  },
  {
    // Shopify's CLI replaces the environment in the extension's code.
    ignores: ["app/platform/env.server.ts", "extensions/wishlist-account/**", "tests/**", "bench/**", "**/*.config.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        { object: "process", property: "env", message: environment },
        { object: "globalThis", property: "process", message: environment },
      ],
    },
  },
  { files: ["app/**"], rules: { "no-restricted-syntax": ["error", time, randomness] } },
  { files: ["app/platform/clock.*"], rules: { "no-restricted-syntax": ["error", randomness] } },
  // crypto generates keys and nonces, which tests must not control.
  { files: ["app/platform/ids.*", "app/platform/crypto.*"], rules: { "no-restricted-syntax": ["error", time] } },
  {
    files: ["tests/**"],
    rules: {
      "@typescript-eslint/no-empty-function": "off",
      "@typescript-eslint/unbound-method": "off",
      // vitest types asymmetric matchers such as `expect.any(…)` as any.
      "@typescript-eslint/no-unsafe-assignment": "off",
      // Tests state the type of a response's data: response.data<Page>().
      "@typescript-eslint/no-unnecessary-type-parameters": "off",
    },
  },
  {
    files: ["**/*.{js,cjs}"],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: "readonly" } },
  },
  { files: ["**/*.cjs"], languageOptions: { globals: { module: "readonly" } } },
  {
    files: ["app/routes/v1.docs/*.js"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          ...[
            "addEventListener",
            "document",
            "fetch",
            "history",
            "getComputedStyle",
            "localStorage",
            "location",
            "matchMedia",
            "navigator",
            "sessionStorage",
            "window",
          ],
          ...["CustomEvent", "DOMParser", "Event", "FormData", "URL", "clearTimeout", "setTimeout"],
        ].map((name) => [name, "readonly"]),
      ),
    },
  },
);
