import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "../../vitest.config.ts";

const { test: { projects, ...shared } = {}, ...rest } = base;

const globalSetup = ["tests/support/database/global-setup.ts"];

// The tests of the API as they are, and those of Citus itself.
export default mergeConfig(
  rest,
  defineConfig({
    root: fileURLToPath(new URL("../../", import.meta.url)),
    test: {
      ...shared,
      projects: [
        {
          extends: true,
          test: {
            name: "api",
            isolate: false,
            setupFiles: ["tests/support/database/close-after-file.ts"],
            include: ["tests/{api,storefront}/**/*.test.ts"],
            exclude: ["**/*.browser.test.ts", "tests/storefront/{adding,default-variant}.test.ts"],
            globalSetup,
          },
        },
        { extends: true, test: { name: "citus", include: ["tests/citus/**/*.test.ts"], globalSetup } },
      ],
    },
  }),
);
