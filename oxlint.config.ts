// The names of all rules in force are listed here, so that an update of the linter adds none unnoticed. The linter also checks types, as `tsc` does.
import { builtinModules } from "node:module";
import { defineConfig, type OxlintConfig } from "oxlint";

const environment = "Read the environment through app/platform/process/env.server.ts, which has its schema.";

function errors(...names: readonly string[]): Record<string, "error"> {
  return Object.fromEntries(names.map((name) => [name, "error"]));
}

function off(...names: readonly string[]): Record<string, "off"> {
  return Object.fromEntries(names.map((name) => [name, "off"]));
}

/** Faults that the type checker finds in TypeScript, and only the linter in JavaScript. */
const foundByTypes = [
  ...["constructor-super", "getter-return", "no-class-assign", "no-const-assign", "no-dupe-class-members"],
  ...["no-dupe-keys", "no-func-assign", "no-import-assign", "no-new-native-nonconstructor", "no-obj-calls"],
  ...["no-redeclare", "no-setter-return", "no-this-before-super", "no-undef", "no-unreachable"],
  ...["no-unsafe-negation", "no-with"],
];

/** Rules that need types, which JavaScript files here have none of. */
const needTypes = [
  ...["await-thenable", "consistent-type-exports", "dot-notation", "no-array-delete", "no-base-to-string"],
  ...["no-deprecated", "no-duplicate-type-constituents", "no-floating-promises", "no-for-in-array"],
  ...["no-generated-empty-object-type", "no-implied-eval", "no-meaningless-void-operator", "no-misused-spread"],
  ...["no-mixed-enums", "no-redundant-type-constituents", "no-unnecessary-boolean-literal-compare"],
  ...["no-unnecessary-template-expression", "no-unnecessary-type-arguments", "no-unnecessary-type-assertion"],
  ...["no-unnecessary-type-conversion", "no-unnecessary-type-parameters", "no-unsafe-argument"],
  ...["no-unsafe-assignment", "no-unsafe-call", "no-unsafe-enum-comparison", "no-unsafe-member-access"],
  ...["no-unsafe-return", "no-unsafe-unary-minus", "no-useless-default-assignment"],
  ...["non-nullable-type-assertion-style", "prefer-find", "prefer-includes", "prefer-nullish-coalescing"],
  ...["prefer-optional-chain", "prefer-promise-reject-errors", "prefer-reduce-type-parameter"],
  ...["prefer-regexp-exec", "prefer-return-this-type", "prefer-string-starts-ends-with"],
  ...["related-getter-setter-pairs", "unbound-method", "use-unknown-in-catch-callback-variable"],
].map((name) => `typescript/${name}`);

/** Rules that need types and have settings. */
const needTypesConfigured = {
  "typescript/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
  "typescript/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
  "typescript/no-unnecessary-condition": ["error", { allowConstantLoopConditions: "only-allowed-literals" }],
  // Remix sends a thrown Response.
  "typescript/only-throw-error": ["error", { allow: [{ from: "lib", name: "Response" }] }],
  "typescript/restrict-plus-operands": [
    "error",
    {
      allowAny: false,
      allowBoolean: false,
      allowNullish: false,
      allowNumberAndString: false,
      allowRegExp: false,
    },
  ],
  "typescript/restrict-template-expressions": [
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
  "typescript/return-await": ["error", "in-try-catch"],
  "typescript/switch-exhaustiveness-check": [
    "error",
    { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
  ],
} satisfies OxlintConfig["rules"];

export default defineConfig({
  plugins: ["typescript"],
  jsPlugins: ["./tests/lint/house.ts"],
  categories: { correctness: "off" },
  options: { typeAware: true, typeCheck: true, denyWarnings: true, reportUnusedDisableDirectives: "deny" },
  env: { builtin: true },
  ignorePatterns: [
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
    "packages/devstore/tests/fixtures/extension/",
  ],
  rules: {
    ...errors(
      ...["for-direction", "no-async-promise-executor", "no-case-declarations", "no-compare-neg-zero"],
      ...["no-cond-assign", "no-constant-binary-expression", "no-constant-condition", "no-control-regex"],
      ...["no-debugger", "no-delete-var", "no-dupe-else-if", "no-duplicate-case", "no-empty"],
      ...["no-empty-character-class", "no-empty-pattern", "no-empty-static-block", "no-ex-assign"],
      ...["no-extra-boolean-cast", "no-fallthrough", "no-global-assign", "no-invalid-regexp"],
      ...["no-irregular-whitespace", "no-loss-of-precision", "no-misleading-character-class"],
      ...["no-nonoctal-decimal-escape", "no-prototype-builtins", "no-regex-spaces", "no-self-assign"],
      ...["no-shadow-restricted-names", "no-sparse-arrays", "no-unassigned-vars", "no-unexpected-multiline"],
      ...["no-unsafe-finally", "no-unsafe-optional-chaining", "no-unused-labels"],
      ...["no-unused-private-class-members", "no-useless-assignment", "no-useless-backreference"],
      ...["no-useless-catch", "no-useless-escape", "preserve-caught-error", "require-yield", "use-isnan"],
      ...["valid-typeof", "eqeqeq", "no-array-constructor", "no-empty-function", "no-unused-expressions"],
      ...["no-useless-constructor", "no-var", "object-shorthand", "prefer-const", "prefer-rest-params"],
      ...["prefer-spread"],
    ),
    ...errors(
      ...[
        ...["adjacent-overload-signatures", "array-type", "ban-tslint-comment", "class-literal-property-style"],
        ...["consistent-generic-constructors", "consistent-indexed-object-style", "consistent-type-assertions"],
        ...["consistent-type-definitions", "consistent-type-imports", "no-confusing-non-null-assertion"],
        ...["no-duplicate-enum-values", "no-dynamic-delete", "no-empty-object-type", "no-explicit-any"],
        ...["no-extra-non-null-assertion", "no-extraneous-class", "no-import-type-side-effects"],
        ...["no-inferrable-types", "no-invalid-void-type", "no-misused-new", "no-namespace"],
        ...["no-non-null-asserted-nullish-coalescing", "no-non-null-asserted-optional-chain"],
        ...["no-non-null-assertion", "no-require-imports", "no-this-alias", "no-unnecessary-type-constraint"],
        ...["no-unsafe-declaration-merging", "no-unsafe-function-type", "no-wrapper-object-types"],
        ...["prefer-as-const", "prefer-for-of", "prefer-function-type", "prefer-literal-enum-member"],
        ...["prefer-namespace-keyword", "triple-slash-reference", "unified-signatures"],
      ].map((name) => `typescript/${name}`),
    ),
    ...errors(...needTypes),
    ...needTypesConfigured,
    ...errors("house/explained-directives", "house/import-extensions"),
    "no-restricted-imports": [
      "error",
      {
        paths: [
          { name: "node:process", importNames: ["env"], message: environment },
          ...builtinModules
            .filter((name) => !name.startsWith("node:"))
            .map((name) => ({ name, message: `Write node:${name}.` })),
        ],
      },
    ],
    "no-unused-vars": [
      "error",
      {
        argsIgnorePattern: "^_",
        varsIgnorePattern: "^_",
        destructuredArrayIgnorePattern: "^_",
        ignoreRestSiblings: true,
      },
    ],
    "typescript/ban-ts-comment": [
      "error",
      { "ts-expect-error": true, "ts-ignore": true, "ts-nocheck": true, "ts-check": false },
    ],
  },
  overrides: [
    {
      // Log through app/platform/log/; the command line and the demo write to process.stdout.
      files: ["app/**", "server/**"],
      rules: { "no-console": "error" },
    },
    {
      files: ["**"],
      // Shopify's CLI replaces the environment in the extension's code; a deploy configures the others before there is an app; the SDK and a release are no part of it.
      excludeFiles: [
        "app/platform/process/env.server.ts",
        "extensions/configure.ts",
        "extensions/wishlist-account/**",
        "packages/sdk/src/server.ts",
        "{,packages/devstore/}tests/**",
        "bench/**",
        "release/run.ts",
        "**/*.config.ts",
      ],
      rules: {
        "no-restricted-properties": [
          "error",
          { object: "process", property: "env", message: environment },
          { object: "globalThis", property: "process", message: environment },
        ],
      },
    },
    {
      files: ["app/**", "server/**"],
      excludeFiles: ["app/platform/text/normal-form.ts"],
      rules: { "house/normalize": "error" },
    },
    // app/ takes time and randomness from app/platform, so that tests can control them.
    {
      files: ["app/**"],
      excludeFiles: ["app/platform/clock.*"],
      rules: { "house/time": "error" },
    },
    {
      files: ["app/**"],
      // crypto generates keys and nonces, which tests must not control.
      excludeFiles: ["app/platform/ids.*", "app/platform/encryption/crypto.*"],
      rules: { "house/randomness": "error" },
    },
    {
      files: ["{,packages/devstore/}tests/**"],
      rules: off(
        "no-empty-function",
        "typescript/unbound-method",
        // vitest types asymmetric matchers such as `expect.any(…)` as any.
        "typescript/no-unsafe-assignment",
        // Tests state the type of a response's data: response.data<Page>().
        "typescript/no-unnecessary-type-parameters",
      ),
    },
    {
      files: ["**/*.{js,cjs}"],
      rules: { ...errors(...foundByTypes), ...off(...needTypes, ...Object.keys(needTypesConfigured)) },
      globals: { process: "readonly" },
    },
    { files: ["**/*.cjs"], globals: { module: "readonly" } },
    { files: ["app/surfaces/v1/documentation/*.js"], env: { browser: true } },
  ],
});
