import type { Context } from "liquidjs";

/** What templates leave behind for the page that they are part of. */
export interface PageState {
  /** `{% layout none %}`, or the name of another layout */
  layout: string | undefined;
  /** `{% stylesheet %}` and `{% javascript %}`, each file's once */
  styles: Set<string>;
  scripts: Set<string>;
  /** scripts and stylesheets that blocks of the extension ask for in their schema */
  assets: Set<string>;
}

export function newPageState(): PageState {
  return { layout: undefined, styles: new Set(), scripts: new Set(), assets: new Set() };
}

// Snippets run in contexts of their own, which share nothing with the page's but its global objects.
const states = new WeakMap<object, PageState>();

export function remember(globals: object, state: PageState): void {
  states.set(globals, state);
}

export function stateOf(context: Context): PageState {
  return states.get(context.globals) ?? newPageState();
}
