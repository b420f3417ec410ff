import type { Metric } from "./chart-points.ts";

/** A line of a chart. Two lines in one chart differ in stroke and marker, not only in color. */
export interface Series {
  metric: Metric;
  name: string;
  stroke: "solid" | "dashed";
  /** of its values; as a number by default */
  format?: (value: number) => string;
  /** of the axis' values; as a number by default */
  formatAxis?: (value: number) => string;
}

export const ADDED: Series = { metric: "itemsAdded", name: "Saved", stroke: "solid" };
export const REMOVED: Series = { metric: "itemsRemoved", name: "Removed", stroke: "dashed" };
export const ADDED_TO_CART: Series = { metric: "addToCartFromWishlist", name: "Added to cart", stroke: "solid" };

export const DASHES = { solid: "", dashed: "7 5" };

// Blue and yellow, which people with a color vision deficiency tell apart as well. Each has a contrast of at least 3:1 to white and to the other.
export const CURRENT_COLOR = "var(--p-color-icon-emphasis-active)";
export const PREVIOUS_COLOR = "var(--p-color-icon-warning)";
/** The line to today's number, which is not the day's last one. */
export const PARTIAL_DASHES = "1 5";

/** In pixels. The placeholder has the same height, so that loading a chart does not shift the layout. */
export const CHART_HEIGHT = 240;
