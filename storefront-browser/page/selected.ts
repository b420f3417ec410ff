import type { Fields } from "../shared/checked.ts";
import { listOf } from "./dom.ts";

/** An item that the shopper has selected. */
export interface Selected {
  productId: string;
  variantId: string;
  quantity: number;
  /** of the line item */
  properties?: Fields | undefined;
  /** "" for an item of another page */
  title: string;
}

/** The selected items of a list by their keys, while the shopper selects. */
const selections = new WeakMap<HTMLElement, Map<string, Selected>>();

export function keyOf({ productId, variantId }: Pick<Selected, "productId" | "variantId">): string {
  return `${productId} ${variantId}`;
}

/** Returns what is selected; undefined when the shopper does not select. */
export function selectionOf(root: HTMLElement): Map<string, Selected> | undefined {
  return selections.get(root);
}

export function beginSelection(root: HTMLElement): void {
  selections.set(root, new Map());
}

export function endSelection(root: HTMLElement): void {
  selections.delete(root);
}

/** Keeps the selection over the pages of a list. */
export function passSelection(root: HTMLElement, next: HTMLElement): void {
  const items = selections.get(root);
  if (items && listOf(root) === listOf(next)) selections.set(next, items);
}
