import type { Action } from "./messages.ts";

const keys = new WeakMap<Element, string>();
const elements = new Map<string, WeakRef<HTMLElement>>();
let given = 0;

/** Returns a key by which the admin can click an element of the app. */
export function keyOf(element: HTMLElement): string {
  const known = keys.get(element);
  if (known !== undefined) return known;
  const key = `e${++given}`;
  keys.set(element, key);
  elements.set(key, new WeakRef(element));
  return key;
}

export function elementOf(key: string): HTMLElement | undefined {
  return elements.get(key)?.deref();
}

/** Describes a button or link of `ui-title-bar`, `ui-save-bar` or `ui-modal` for the admin. */
export function describe(element: HTMLElement): Action {
  const { variant, tone } = { variant: element.getAttribute("variant"), tone: element.getAttribute("tone") };
  const loading = element.getAttribute("loading");
  return {
    key: keyOf(element),
    label: element.textContent.trim(),
    primary: variant === "primary",
    critical: tone === "critical",
    disabled: element.hasAttribute("disabled"),
    loading: loading !== null && loading !== "false",
  };
}
