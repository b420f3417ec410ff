import { defineConfig } from "vitest/config";

// For what hangs, not for what is slow: a busy machine is no reason to fail.
const patience = 5 * 60_000;

// One project a folder. They run one after the other: what starts processes and browsers wants the machine for itself.
// (The order starts at 1: where vitest has a single worker it runs group 0 last.)
export default defineConfig({
  test: {
    passWithNoTests: false,
    retry: 0,
    maxWorkers: 2,
    testTimeout: patience,
    hookTimeout: patience,
    provide: { lane: "express" },
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["tests/unit/**/*.test.ts"], sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: "api (express lane)",
          include: ["tests/{api,storefront}/**/*.test.ts"],
          exclude: ["**/*.browser.test.ts"],
          globalSetup: ["tests/support/global-setup.ts"],
          provide: { lane: "express" },
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: "api (remix lane)",
          include: ["tests/{api,storefront}/**/*.test.ts"],
          exclude: ["**/*.browser.test.ts"],
          globalSetup: ["tests/support/global-setup.ts"],
          provide: { lane: "remix" },
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: "process",
          include: ["tests/process/**/*.test.ts"],
          globalSetup: ["tests/support/global-setup.ts"],
          fileParallelism: false,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          name: "devstore",
          include: ["tests/devstore/**/*.test.ts"],
          fileParallelism: false,
          sequence: { groupOrder: 8 },
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["tests/{e2e,admin}/**/*.test.ts", "tests/storefront/**/*.browser.test.ts"],
          globalSetup: ["tests/support/global-setup.ts", "tests/e2e/fixtures/global-setup.ts"],
          fileParallelism: false,
          sequence: { groupOrder: 5 },
        },
      },
      {
        extends: true,
        test: {
          name: "shopify",
          include: ["tests/shopify/**/*.test.ts"],
          globalSetup: ["tests/support/global-setup.ts"],
          sequence: { groupOrder: 6 },
        },
      },
      {
        extends: true,
        test: {
          name: "extension",
          include: ["tests/extension/**/*.test.ts"],
          fileParallelism: false,
          sequence: { groupOrder: 7 },
        },
      },
    ],
  },
});
