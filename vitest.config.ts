import { configDefaults, defineConfig } from "vitest/config";
import { wishlistPageScript } from "./storefront-browser/bundle.ts";

// Ends tests that hang. A slow test on a busy machine does not fail.
const timeout = 5 * 60_000;

// These need a real process that serves pages, and so a build.
const throughPages = ["tests/storefront/{adding,default-variant}.test.ts"];

// Loading Playwright and the app's modules anew for each file would take a fifth of these projects' time. Their files leave
// no state in modules; those of `process` do.
const sharedModules = { isolate: false, setupFiles: ["tests/support/database/close-after-file.ts"] };

// One project a folder. Files run side by side, whatever their project: each starts what it needs for itself.
export default defineConfig({
  plugins: [wishlistPageScript()],
  // Tests of the packages run their sources.
  ssr: { resolve: { conditions: ["@wishlist-headless/source", "node", "development"] } },
  test: {
    passWithNoTests: false,
    // The pages inline their style sheet.
    css: true,
    retry: 0,
    maxWorkers: 3,
    tags: [
      {
        name: "matrix",
        description: "Repeats a guarantee of `npm test` for another theme, width, device, language or fault.",
      },
    ],
    testTimeout: timeout,
    hookTimeout: timeout,
    teardownTimeout: timeout,
    // With `--changed` and in watch mode: nothing imports the database's schema.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, "**/prisma/**"],
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: { name: "unit", ...sharedModules, include: ["tests/unit/**/*.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "api",
          ...sharedModules,
          include: ["tests/{api,storefront}/**/*.test.ts"],
          exclude: ["**/*.browser.test.ts", ...throughPages],
          globalSetup: ["tests/support/database/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "packages",
          ...sharedModules,
          include: ["tests/packages/**/*.test.{ts,tsx}"],
          globalSetup: ["tests/support/database/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "process",
          include: ["tests/process/**/*.test.ts"],
          globalSetup: ["tests/support/database/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "devstore",
          ...sharedModules,
          include: ["packages/devstore/tests/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          ...sharedModules,
          include: ["tests/{e2e,admin}/**/*.test.ts", "tests/storefront/**/*.browser.test.ts"],
          globalSetup: ["tests/support/database/global-setup.ts", "tests/e2e/fixtures/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "example",
          ...sharedModules,
          include: ["tests/example/**/*.test.ts"],
          globalSetup: ["tests/support/database/global-setup.ts", "tests/example/fixtures/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "shopify",
          ...sharedModules,
          include: ["tests/shopify/**/*.test.ts", ...throughPages],
          globalSetup: ["tests/support/database/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "extension",
          ...sharedModules,
          include: ["tests/extension/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "themes",
          ...sharedModules,
          include: ["tests/themes/**/*.test.ts"],
          // A list of mistakes is to be read as a whole.
          chaiConfig: { truncateThreshold: 0 },
        },
      },
    ],
  },
});
