// Files that the build copies under names with content hashes, so that the page loads nothing from other hosts.
// `no-inline`, because the page's Content-Security-Policy refuses the data: URLs of small files.
import bundle from "swagger-ui-dist/swagger-ui-bundle.js?url&no-inline";
import bundleStyle from "swagger-ui-dist/swagger-ui.css?url&no-inline";
import operationsStyle from "./operations.css?url&no-inline";
import pageStyle from "./page.css?url&no-inline";
import collectionFile from "./collection.json?url&no-inline";
import start from "./start.js?url&no-inline";
import type { PageFiles } from "./page.ts";

export const files: PageFiles = {
  style: pageStyle,
  script: start,
  consoleStyles: [bundleStyle, operationsStyle],
  consoleScript: bundle,
  // `npm run api:write` writes it.
  collection: collectionFile,
};
