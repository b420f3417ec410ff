/* eslint-disable no-restricted-imports -- only Vite reads this file, and two words in a query are its way to say both */
// Files that the build names by their content and puts beside its own, so that the page loads nothing from another host.
// `no-inline`: as data: addresses, the small ones would be refused by the page's Content-Security-Policy.
import bundle from "swagger-ui-dist/swagger-ui-bundle.js?url&no-inline";
import bundleStyle from "swagger-ui-dist/swagger-ui.css?url&no-inline";
import operationsStyle from "./operations.css?url&no-inline";
import pageStyle from "./page.css?url&no-inline";
import start from "./start.js?url&no-inline";

export const style = pageStyle;
export const script = start;
export const consoleStyles = [bundleStyle, operationsStyle];
export const consoleScript = bundle;
