import type { SeedCustomer } from "./model.ts";
import { randomStream } from "./random.ts";

/** A customer's activity in the 90 days. */
export interface Activity {
  /** saved items, including those saved as a guest; 0 for a customer who never used the wishlist */
  adds: number;
  /** share of the items that is removed again, 0 to 1, if a later visit exists */
  removal: number;
  /** true when some items are saved before the login and merged at the login */
  usesGuestList: boolean;
  /** how often the list is shared */
  shares: number;
}

/** Saves several hundred items and keeps most of them, so that every screen needs several pages. */
const COLLECTOR = { adds: 300, removal: 0.12 };
const ENTHUSIASTS = { count: 8, minAdds: 100, maxAdds: 135, removal: 0.25 };
const NEVER_USED_IT = 40;

/** Items saved by the other customers, from the least to the most active, in steps of a tenth of the customers. */
const ADDS_BY_TENTH = [1, 1, 2, 3, 4, 6, 9, 12, 17, 26, 55];
const REMOVAL = 0.34;

/** Plans the activity of each customer, by customer id. The sum of all adds is the same for every seed. */
export function planActivity(customers: readonly SeedCustomer[], seed: number): Map<string, Activity> {
  const random = randomStream(seed, "activity");
  const plan = new Map<string, Activity>();
  const others = customers.length - 1 - ENTHUSIASTS.count - NEVER_USED_IT;

  for (const [index, { customerId }] of random.shuffle(customers).entries()) {
    const usesGuestList = random.chance(0.35);
    const shares = random.chance(0.15) ? random.integer(1, 2) : 0;
    const enthusiast = index - 1;
    const other = enthusiast - ENTHUSIASTS.count;
    if (index === 0) {
      plan.set(customerId, { ...COLLECTOR, usesGuestList, shares: 1 });
    } else if (enthusiast < ENTHUSIASTS.count) {
      const { minAdds, maxAdds, removal } = ENTHUSIASTS;
      const adds = Math.round(minAdds + ((maxAdds - minAdds) * enthusiast) / (ENTHUSIASTS.count - 1));
      plan.set(customerId, { adds, removal, usesGuestList, shares });
    } else if (other < others) {
      plan.set(customerId, { adds: addsAt((other + 0.5) / others), removal: REMOVAL, usesGuestList, shares });
    } else {
      plan.set(customerId, { adds: 0, removal: 0, usesGuestList: false, shares: 0 });
    }
  }
  return plan;
}

/** Interpolates `ADDS_BY_TENTH`; `rank` goes from 0 (least active) to 1 (most active). */
function addsAt(rank: number): number {
  const decile = Math.floor(rank * 10);
  const below = ADDS_BY_TENTH[decile] ?? 0;
  const above = ADDS_BY_TENTH[decile + 1] ?? below;
  return Math.round(below + (above - below) * (rank * 10 - decile));
}
