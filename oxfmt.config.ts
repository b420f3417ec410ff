import { defineConfig } from "oxfmt";

export default defineConfig({
  printWidth: 120,
  // The order of npm's own commands.
  sortPackageJson: false,
  // Shopify's command line writes these files. Prettier formats Liquid: see .prettierrc.json.
  ignorePatterns: ["**/*.toml"],
});
