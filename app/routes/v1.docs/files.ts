// Files that the build copies under names with content hashes, so that the page loads nothing from other hosts.
// `no-inline`, because the page's Content-Security-Policy refuses the data: URLs of small files.
import bundle from "swagger-ui-dist/swagger-ui-bundle.js?url&no-inline";
import bundleStyle from "swagger-ui-dist/swagger-ui.css?url&no-inline";
import operationsStyle from "./operations.css?url&no-inline";
import pageStyle from "./page.css?url&no-inline";
import collectionFile from "./collection.json?url&no-inline";
import start from "./start.js?url&no-inline";

/** for API clients; `npm run api:write` writes it */
export const collection = collectionFile;
export const style = pageStyle;
export const script = start;
export const consoleStyles = [bundleStyle, operationsStyle];
export const consoleScript = bundle;
