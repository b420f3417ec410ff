import { fields, list, text, type Fields } from "../shared/checked.ts";
import { announce, exclude, include, read, write, type Stored } from "../shared/saved-list.ts";
import { call } from "./requests.ts";

/** The most products in one look-up. */
const LOOKED_UP = 250;

/** The root that made the change which is being announced: it has shown the change itself. */
let announcing: HTMLElement | undefined;

export function isAnnouncing(root: HTMLElement): boolean {
  return root === announcing;
}

/**
 * Stores what a response says of the list, and shows the number of items. Without `listCount`, the list that is shown has as many as before.
 * @param change to the stored list; a response for another owner has emptied it before
 */
export function keep(
  root: HTMLElement,
  { owner, itemCount, listCount }: Fields,
  change?: (next: Stored) => void,
): void {
  const next = read();
  const tag = text(owner);
  if (next.owner !== tag) Object.assign(next, { owner: tag, saved: {} });
  next.count = Number(itemCount);
  change?.(next);
  const shown = root.dataset;
  const items = Number(listCount ?? shown["listCount"] ?? 0);
  Object.assign(shown, { count: next.count, listCount: items, rev: text(next.rev) });
  write(next);
  announcing = root;
  announce(next);
  announcing = undefined;
  const { sayOneItem = "", sayItems = "" } = shown;
  const message = items === 1 ? sayOneItem : sayItems.replace("[n]", String(items));
  for (const total of root.querySelectorAll("[data-wishlist-total]")) total.textContent = message;
  for (const tab of root.querySelectorAll("[aria-current] .wl-choice-count")) tab.textContent = String(items);
}

/** Marks a change of lists, so that other tabs show it. */
export function mark(next: Stored): void {
  next.rev = String(Date.now());
}

/** Looks up which products are saved, where several lists may have them, and stores it for the hearts. */
export async function lookUp(root: HTMLElement, productIds: readonly string[]): Promise<void> {
  for (let index = 0; index < productIds.length; index += LOOKED_UP) {
    const some = productIds.slice(index, index + LOOKED_UP);
    const response = await call(root, "saved", { productIds: some });
    keep(root, response, (next) => {
      const found = list(response["saved"]).map(fields);
      for (const id of some) {
        const handle = next.saved[id]?.h ?? "";
        exclude(next, { id, handle: "", variant: "" });
        const one = found.find(({ productId }) => productId === id);
        if (one) include(next, id, list(one["variantIds"]).map(text), handle, list(one["listIds"]).map(text));
      }
      mark(next);
    });
  }
}
