import type { FilterImplOptions } from "liquidjs";

/** The type of `this` in a filter, which liquidjs does not export. */
export type FilterContext = ThisParameterType<Extract<FilterImplOptions, (...args: never[]) => unknown>>;
