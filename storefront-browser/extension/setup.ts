import { isFields } from "../shared/checked.ts";
import { create } from "../shared/create.ts";
import { every } from "./dom.ts";
import type calls from "./parts/api.ts";
import type chooseLists from "./parts/lists.ts";
import type handleRefusal from "./parts/refused.ts";
import type preset from "./presets.ts";
import type awaitChoice from "./product/main.ts";

/** Returns a setting or text of the blocks (snippets/wishlist-setup.liquid), or "". The embed's, at the end of the body, override others. */
export function setup(name: string): string {
  settings ??= Object.fromEntries(every("[data-wishlist-setup]").flatMap(({ dataset }) => Object.entries(dataset)));
  return settings[name] ?? "";
}
let settings: Record<string, string | undefined> | undefined;

/** Loads a part of the script that only some pages need, once, if the page's blocks name it. */
export function loadPart(part: string, failed = (): void => undefined): void {
  const src = setup(`${part}Part`);
  if (src && loaded.size < loaded.add(part).size) document.head.append(create("script", { src, onerror: failed }));
}
const loaded = new Set<string>();

/** The parts that are modules, by the type of their default export. */
interface Modules {
  api: typeof calls;
  lists: typeof chooseLists;
  presets: typeof preset;
  product: typeof awaitChoice;
  refused: typeof handleRefusal;
}

/** Imports a part on first use. @returns its default export, or undefined when it can't be loaded */
export async function importPart<Name extends keyof Modules>(name: Name): Promise<Modules[Name] | undefined> {
  // Shopify's CDN lets every shop import its modules.
  const part: unknown = await import(/* @vite-ignore */ setup(`${name}Part`)).catch(() => undefined);
  return isPart(part, name) ? part.default : undefined;
}

/** A part that loads is of this release, so it has the default export of its source. */
function isPart<Name extends keyof Modules>(part: unknown, _name: Name): part is { default: Modules[Name] } {
  return isFields(part);
}
