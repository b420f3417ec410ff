import polarisStyles from "@shopify/polaris/build/esm/styles.css?url";
import tableStyles from "./tables.css?url";

/** Addresses of the style sheets that every page of the admin needs, in their order. */
export const STYLESHEETS = [polarisStyles, tableStyles];
