import { create } from "../shared/create.ts";
import { every } from "./dom.ts";

/** Returns a setting or text of the blocks (snippets/wishlist-setup.liquid), or "". The embed's, at the end of the body, override others. */
export function setup(name: string): string {
  settings ??= Object.fromEntries(every("[data-wishlist-setup]").flatMap(({ dataset }) => Object.entries(dataset)));
  return settings[name] ?? "";
}
let settings: Record<string, string | undefined> | undefined;

/** Loads a part of the script that only some pages need, once. */
export function loadPart(part: string, failed = (): void => undefined): void {
  if (loaded.size === loaded.add(part).size) return;
  document.head.append(create("script", { src: setup(`${part}Part`), onerror: failed }));
}
const loaded = new Set<string>();
