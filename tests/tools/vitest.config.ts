import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import base from "../../vitest.config.ts";

const { test: { projects, ...shared } = {}, ...rest } = base;

export default mergeConfig(rest, {
  root: fileURLToPath(new URL("../../", import.meta.url)),
  test: {
    ...shared,
    include: ["tests/tools/**/*.test.ts"],
    globalSetup: ["tests/support/database/global-setup.ts"],
  },
});
