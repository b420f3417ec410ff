import type { z } from "zod";
import type { fragmentBody } from "../schemas.ts";
import { renderPage, type Page, type Value } from "./template.ts";

/** A response that the store's theme renders. */
export interface LiquidPage {
  document: string;
  type: string;
  status?: number;
  headers?: Record<string, string>;
}

export const LIQUID_TYPE = "application/liquid; charset=utf-8";

/** The variables of a page: those of its snippet and of `frame`, without `wl_` and in camel case. */
export interface PageData extends Record<string, Value> {
  /** where the store shows the app */
  proxy: string;
  /** the level of the page's heading */
  level: z.output<typeof fragmentBody>["heading"];
}

/** Returns a page for the theme's layout. */
export function themedPage(page: Page, data: PageData): LiquidPage {
  return { document: renderPage(page, data), type: LIQUID_TYPE };
}

/** Returns a page to be put into another one. @param isBare whether that has the style and script already */
export function fragment(page: Page, data: PageData, isBare: boolean): LiquidPage {
  return { document: `{% layout none %}${renderPage(page, data, isBare ? "bare" : "whole")}`, type: LIQUID_TYPE };
}
