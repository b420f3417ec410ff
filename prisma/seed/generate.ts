import { planActivity } from "./activity.ts";
import { generateCartEvents } from "./carts.ts";
import { buildCatalog, withoutDemand } from "./catalog.ts";
import { generateCustomers } from "./customers.ts";
import { weighChoices } from "./demand.ts";
import { generateHistory } from "./history.ts";
import type { SeedEvent, SeedShop } from "./model.ts";
import { randomStream } from "./random.ts";
import { shopRhythm } from "./rhythm.ts";

export type { SeedEvent, SeedShop } from "./model.ts";

const TIME_ZONE = "Europe/Berlin";
const CUSTOMERS = 500;
/** An arbitrary number, which must not change. */
const DEFAULT_SEED = 20_407;

/**
 * Generates an outdoor-goods shop with products, customers and their wishlist events of the 90 days before `now`. The same
 * `now` and seed give an identical shop. Products and all ids depend on neither, customers only on the seed: a later `now`
 * moves the history and nothing else.
 */
export function generateShop(now: Date, options: { seed?: number } = {}): SeedShop {
  const { seed = DEFAULT_SEED } = options;
  const products = buildCatalog();
  const customers = generateCustomers(CUSTOMERS, seed);
  // Throws for an invalid date.
  const rhythm = shopRhythm(now, TIME_ZONE);
  let history: SeedEvent[] | undefined;

  const simulate = (): SeedEvent[] => {
    const choices = weighChoices(products, seed);
    const plan = planActivity(customers, seed);
    const all = customers.flatMap(({ customerId }) => {
      const activity = plan.get(customerId);
      if (activity === undefined) return [];
      const random = randomStream(seed, `history ${customerId}`);
      const events = generateHistory(customerId, activity, choices, rhythm, random);
      return [...events, ...generateCartEvents(events, rhythm.end, randomStream(seed, `carts ${customerId}`))];
    });
    // The sort is stable: events of the same millisecond keep the order of their customers.
    return all.sort((left, right) => left.at.getTime() - right.at.getTime());
  };

  return {
    domain: "larkfell-outdoor.myshopify.com",
    name: "Larkfell Outdoor",
    timeZone: TIME_ZONE,
    plan: "growth",
    currency: "EUR",
    products: products.map(withoutDemand),
    customers,
    // Generated on the first use, because a later start of the demo and the devstore need the products and customers only.
    get history() {
      return (history ??= simulate());
    },
  };
}
