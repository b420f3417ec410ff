import polarisStyles from "@shopify/polaris/build/esm/styles.css?url";
import tableStyles from "./tables.css?url";

/** URLs of the style sheets of every admin page, in cascade order. */
export const STYLESHEETS = [polarisStyles, tableStyles];
