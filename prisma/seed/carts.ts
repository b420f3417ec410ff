import type { SeedEvent } from "./model.ts";
import type { Random } from "./random.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Of what is saved, the part that is put into the cart at some time. */
const CARTED = 0.17;
/** Of that, the part that is put into a cart once more, on another day. */
const CARTED_AGAIN = 0.12;
/** Most are bought soon or not at all: within so many of the customer's next acts. */
const NEXT_EVENTS = 8;

type CartEvent = Extract<SeedEvent, { kind: "cart" }>;

interface Saved {
  productId: string;
  variantId: string;
  from: number;
  until: number;
}

/**
 * When one customer put what was saved into the cart.
 * @param history of one customer, oldest first
 * @param end of the history, epoch milliseconds
 */
export function generateCartEvents(history: readonly SeedEvent[], end: number, random: Random): CartEvent[] {
  const usedTimes = new Set(history.map(({ at }) => at.getTime()));
  const carts: CartEvent[] = [];
  for (const saved of savedPeriods(history, end)) {
    if (!random.chance(CARTED)) continue;
    const times = random.chance(CARTED_AGAIN) ? 2 : 1;
    for (let time = 1; time <= times; time++) {
      // While the customer is there: at the time of another act, so that carts are filled when wishlists are.
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

/** What was saved, and from when until when. */
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
