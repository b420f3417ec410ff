import { text, type Fields } from "../shared/checked.ts";
import { announce, read, write, type Stored } from "../shared/saved-list.ts";

/** The root that made the change which is being announced: it has shown the change itself. */
let announcing: HTMLElement | undefined;

export function isAnnouncing(root: HTMLElement): boolean {
  return root === announcing;
}

/**
 * Stores what a response says of the list, and shows the number of items.
 * @param change to the stored list; a response for another owner has emptied it before
 */
export function keep(root: HTMLElement, { owner, itemCount }: Fields, change?: (next: Stored) => void): void {
  const next = read();
  const tag = text(owner);
  if (next.owner !== tag) Object.assign(next, { owner: tag, saved: {} });
  next.count = Number(itemCount);
  change?.(next);
  root.dataset["count"] = String(next.count);
  write(next);
  announcing = root;
  announce(next);
  announcing = undefined;
  const total = root.querySelector("[data-wishlist-total]");
  const { sayOneItem = "", sayItems = "" } = root.dataset;
  if (total) total.textContent = next.count === 1 ? sayOneItem : sayItems.replace("[n]", String(next.count));
}
