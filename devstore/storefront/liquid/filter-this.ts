import type { FilterImplOptions } from "liquidjs";

/** What a filter has as `this`: liquidjs does not export its type. */
export type FilterThis = ThisParameterType<Extract<FilterImplOptions, (...args: never[]) => unknown>>;
