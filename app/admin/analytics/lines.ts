import type { Counted } from "./points.ts";

/** A line of a chart. Two in one chart differ in stroke and marker, not in colour alone. */
export interface Line {
  of: Counted;
  name: string;
  stroke: "solid" | "dashed";
}

export const ADDED: Line = { of: "itemsAdded", name: "Saved", stroke: "solid" };
export const REMOVED: Line = { of: "itemsRemoved", name: "Removed", stroke: "dashed" };
export const CARTED: Line = { of: "addToCartFromWishlist", name: "Added to cart", stroke: "solid" };

export const DASHES = { solid: "", dashed: "7 5" };

/** One accent for what is looked at, grey for the previous period. */
export const NOW_COLOUR = "var(--p-color-text-emphasis)";
export const BEFORE_COLOUR = "var(--p-color-icon-secondary)";

/** Pixels: the same with and without the chart in it, so that nothing moves when it comes. */
export const CHART_HEIGHT = 240;
