import type { SeedEvent } from "./model.ts";
import type { Random } from "./random.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Share of saved items that is put into the cart. */
const CARTED = 0.17;
/** Share of those that is put into a cart a second time, on another day. */
const CARTED_AGAIN = 0.12;
/** Items go into the cart near one of this many next events of the customer: soon or not at all. */
const NEXT_EVENTS = 8;

type CartEvent = Extract<SeedEvent, { kind: "cart" }>;

interface Saved {
  productId: string;
  variantId: string;
  from: number;
  until: number;
}

/**
 * Generates the cart events of one customer.
 * @param history events of one customer, oldest first
 * @param end end of the history in epoch milliseconds
 */
export function generateCartEvents(history: readonly SeedEvent[], end: number, random: Random): CartEvent[] {
  const usedTimes = new Set(history.map(({ at }) => at.getTime()));
  const carts: CartEvent[] = [];
  for (const saved of savedPeriods(history, end)) {
    if (!random.chance(CARTED)) continue;
    const times = random.chance(CARTED_AGAIN) ? 2 : 1;
    for (let time = 1; time <= times; time++) {
      // Shortly after another event, because the customer visits the store then.
      const nextEvents = history.filter((event) => event.at.getTime() >= saved.from).slice(0, NEXT_EVENTS);
      let at = random.pick(nextEvents).at.getTime() + random.integer(20 * SECOND, 4 * MINUTE);
      while (usedTimes.has(at)) at++;
      if (at >= saved.until) continue;
      usedTimes.add(at);
      const { productId, variantId } = saved;
      const eventId = `seed-${at}-${variantId}`;
      carts.push({
        at: new Date(at),
        kind: "cart",
        customerId: history[0]?.customerId ?? "",
        productId,
        variantId,
        eventId,
      });
    }
  }
  return carts;
}

/** Returns each saved item with the period for which it was saved. */
function savedPeriods(history: readonly SeedEvent[], end: number): Saved[] {
  const current = new Map<string, Saved>();
  const all: Saved[] = [];
  const save = (at: Date, { productId, variantId }: { productId: string; variantId: string }): void => {
    const saved = { productId, variantId, from: at.getTime(), until: end };
    current.set(variantId, saved);
    all.push(saved);
  };
  for (const event of history) {
    if (event.kind === "add") save(event.at, event);
    if (event.kind === "merge") for (const item of event.items) save(event.at, item);
    const removed = event.kind === "remove" ? current.get(event.variantId) : undefined;
    if (removed) removed.until = event.at.getTime();
  }
  return all;
}
