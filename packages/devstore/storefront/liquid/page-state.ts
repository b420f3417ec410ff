import type { Context } from "liquidjs";

/** Data that templates collect for their page. */
export interface PageState {
  /** `{% layout none %}`, or the name of another layout */
  layout: string | undefined;
  /** contents of `{% stylesheet %}` and `{% javascript %}`, once per file */
  styles: Set<string>;
  scripts: Set<string>;
  /** tags of the scripts and stylesheets that the schemas of the extension's blocks name */
  assets: Set<string>;
  /** `page_title` as the last template left it */
  title: unknown;
}

export function newPageState(): PageState {
  return { layout: undefined, styles: new Set(), scripts: new Set(), assets: new Set(), title: undefined };
}

// A snippet's context shares only the global objects with the page's context.
const states = new WeakMap<object, PageState>();

export function attachState(globals: object, state: PageState): void {
  states.set(globals, state);
}

export function stateOf(context: Context): PageState {
  return states.get(context.globals) ?? newPageState();
}
