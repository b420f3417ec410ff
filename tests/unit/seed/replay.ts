import type { SeedEvent, SeedShop } from "../../../prisma/seed/generate.ts";

/** Identifies a saved variant of a customer as text. */
export function itemKey(item: { productId: string; variantId: string }): string {
  return `${item.productId}/${item.variantId}`;
}

export interface Replay {
  /** item keys per customer at the end; empty for customers without items */
  saved: Map<string, Set<string>>;
  /** events that were impossible, with the reason */
  impossible: { event: SeedEvent; reason: string }[];
}

/** Replays a shop's history like the service, and collects impossible events. */
export function replay(shop: SeedShop): Replay {
  const known = new Set(
    shop.products.flatMap(({ productId, variants }) =>
      variants.map(({ variantId }) => itemKey({ productId, variantId })),
    ),
  );
  const saved = new Map(shop.customers.map(({ customerId }) => [customerId, new Set<string>()]));
  const everRemoved = new Map(shop.customers.map(({ customerId }) => [customerId, new Set<string>()]));
  const impossible: Replay["impossible"] = [];

  for (const event of shop.history) {
    const list = saved.get(event.customerId);
    const removed = everRemoved.get(event.customerId);
    const refuse = (reason: string): void => void impossible.push({ event, reason });
    if (list === undefined || removed === undefined) {
      refuse("unknown customer");
      continue;
    }
    const save = (key: string): void => {
      if (!known.has(key)) refuse("unknown variant");
      if (list.has(key)) refuse("saved already");
      list.add(key);
    };

    if (event.kind === "add") save(itemKey(event));
    if (event.kind === "merge") {
      if (event.items.length === 0) refuse("nothing to merge");
      for (const item of event.items) {
        if (item.addedAt >= event.at) refuse("merged before it was saved");
        if (removed.has(itemKey(item))) refuse("a guest's item that the customer had removed");
        save(itemKey(item));
      }
    }
    if (event.kind === "remove") {
      if (!list.delete(itemKey(event))) refuse("not saved");
      removed.add(itemKey(event));
    }
    if (event.kind === "cart" && !list.has(itemKey(event))) refuse("put into the cart without being saved");
    if (event.kind === "share" && list.size === 0) refuse("nothing to share");
  }
  return { saved, impossible };
}

/** Returns the number of added items per local day, merges included, by "YYYY-MM-DD". */
export function addsByDay(shop: SeedShop): Map<string, number> {
  // The Swedish date format is ISO 8601.
  const calendar = new Intl.DateTimeFormat("sv-SE", { timeZone: shop.timeZone, dateStyle: "short" });
  const days = new Map<string, number>();
  for (const event of shop.history) {
    const added = event.kind === "add" ? 1 : event.kind === "merge" ? event.items.length : 0;
    const day = calendar.format(event.at);
    days.set(day, (days.get(day) ?? 0) + added);
  }
  return days;
}
