// Computes the reports from the list of all events of a shop, independently of the service's code and of
// its rollups.

export interface Owner {
  kind: "customer" | "guest";
  id: string;
}

export interface Item {
  product: string;
  variant: string;
}

type Source = "api" | "storefront";

/** A requested change. It may have no effect. */
export type Act =
  | { act: "add"; owner: Owner; item: Item; source: Source }
  /** without a variant: all of the product */
  | { act: "remove"; owner: Owner; product: string; variant: string | null; source: Source | "staff" }
  | { act: "merge"; owner: Owner; items: Item[]; source: "merge" | "import" }
  | { act: "cart"; owner: Owner; item: Item; event: string; source: Source }
  | { act: "share"; owner: Owner; source: Source }
  /** merges a guest's list into the customer's; after that the guest id is invalid */
  | { act: "login"; guest: string; customer: string }
  /** makes a merged guest id valid again, as after its retention */
  | { act: "forget"; guest: string }
  /** purges the lists of all guests */
  | { act: "purge" }
  | { act: "clear"; owner: Owner; source: "purge" | "erasure" };

/** An event that took effect. */
export interface Event {
  kind: "added" | "removed" | "carted" | "shared" | "merged";
  source: string;
  owner: string;
  /** the shop's calendar day, YYYY-MM-DD */
  day: string;
  item?: Item;
  /** number of the item's stay in wishlists, from its save to its removal, across a login */
  stay?: number;
  /** of a login: the guest whose list was merged */
  guest?: string;
}

export interface Reports {
  overview: { totalWishlistedItems: number; activeShoppers: number; wishlistToCartRate: number };
  daily: {
    date: string;
    itemsAdded: number;
    itemsRemoved: number;
    uniqueShoppers: number;
    addToCartFromWishlist: number;
  }[];
  /** by product, or by product and variant: `p/v` */
  counts: Map<string, number>;
}

/** Sources that count as shoppers' activity. */
const SHOPPING = ["api", "storefront", "merge"];

/** Returns the calendar day of a time in a time zone. */
export function localDay(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(at);
}

export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

export function keyOf({ kind, id }: Owner): string {
  return `${kind} ${id}`;
}

function nameOf({ product, variant }: Item): string {
  return `${product}/${variant}`;
}

/** The model of a shop's wishlists. */
export class Wishlists {
  readonly #lists = new Map<string, Map<string, { item: Item; stay: number }>>();
  /** owners with a wishlist, which may be empty */
  readonly #has = new Set<string>();
  /** guests who have logged in */
  readonly #merged = new Set<string>();
  /** owner, item and event */
  #carted: [owner: string, once: string][] = [];
  readonly #shared = new Set<string>();
  #stays = 0;

  /** Guests with a wishlist. */
  guests(): string[] {
    return [...this.#has].filter((owner) => owner.startsWith("guest "));
  }

  #of(owner: Owner): Map<string, { item: Item; stay: number }> {
    const list = this.#lists.get(keyOf(owner)) ?? new Map<string, { item: Item; stay: number }>();
    this.#lists.set(keyOf(owner), list);
    return list;
  }

  #removed(owner: Owner, source: string, day: string, which: (item: Item) => boolean): Event[] {
    const list = this.#of(owner);
    return [...list].flatMap(([name, { item, stay }]): Event[] => {
      if (!which(item)) return [];
      list.delete(name);
      return [{ kind: "removed", source, owner: keyOf(owner), day, item, stay }];
    });
  }

  #added(owner: Owner, source: string, day: string, item: Item, stay: number): Event[] {
    const list = this.#of(owner);
    if (list.has(nameOf(item))) return [];
    list.set(nameOf(item), { item, stay });
    return [{ kind: "added", source, owner: keyOf(owner), day, item, stay }];
  }

  /** Deletes the wishlist and its cart events. */
  #drop(owner: string): void {
    this.#has.delete(owner);
    this.#shared.delete(owner);
    this.#carted = this.#carted.filter(([of]) => of !== owner);
  }

  /** @returns the events of the change */
  perform(act: Act, day: string): Event[] {
    if ("owner" in act && this.#merged.has(keyOf(act.owner))) return [];
    if (act.act === "add" || act.act === "share" || (act.act === "merge" && act.items.length > 0)) {
      this.#has.add(keyOf(act.owner));
    }
    switch (act.act) {
      case "add":
        return this.#added(act.owner, act.source, day, act.item, ++this.#stays);
      case "remove": {
        const { product, variant } = act;
        return this.#removed(
          act.owner,
          act.source,
          day,
          (item) => item.product === product && (variant === null || item.variant === variant),
        );
      }
      case "merge":
        return act.items.flatMap((item) => this.#added(act.owner, act.source, day, item, ++this.#stays));
      case "cart": {
        const { owner, item, event, source } = act;
        const saved = this.#of(owner).get(nameOf(item));
        const once = `${nameOf(item)} ${event}`;
        if (!saved || this.#carted.some(([of, known]) => of === keyOf(owner) && known === once)) return [];
        this.#carted.push([keyOf(owner), once]);
        return [{ kind: "carted", source, owner: keyOf(owner), day, item, stay: saved.stay }];
      }
      case "share": {
        const owner = keyOf(act.owner);
        if (this.#shared.has(owner)) return [];
        this.#shared.add(owner);
        return [{ kind: "shared", source: act.source, owner, day }];
      }
      case "login": {
        const guest: Owner = { kind: "guest", id: act.guest };
        const customer: Owner = { kind: "customer", id: act.customer };
        if (this.#merged.has(keyOf(guest))) return [];
        this.#merged.add(keyOf(guest));
        if (!this.#has.has(keyOf(guest))) return [];
        this.#has.add(keyOf(customer));
        for (const [of, once] of this.#carted) if (of === keyOf(guest)) this.#carted.push([keyOf(customer), once]);
        this.#drop(keyOf(guest));
        const left = this.#removed(guest, "guest_merge", day, () => true);
        const came = left.flatMap(({ item, stay }) =>
          item && stay !== undefined ? this.#added(customer, "guest_merge", day, item, stay) : [],
        );
        return [
          ...left,
          ...came,
          { kind: "merged", source: "guest_merge", owner: keyOf(customer), day, guest: keyOf(guest) },
        ];
      }
      case "forget":
        this.#merged.delete(`guest ${act.guest}`);
        return [];
      case "purge":
        return this.guests().flatMap((guest) => {
          this.#drop(guest);
          return this.#removed({ kind: "guest", id: guest.slice("guest ".length) }, "purge", day, () => true);
        });
      case "clear":
        return this.#removed(act.owner, act.source, day, () => true);
    }
  }
}

function shopping(log: readonly Event[]): Event[] {
  return log.filter(({ source }) => SHOPPING.includes(source));
}

/** Returns the number of shoppers of these events. A merged guest counts as the first customer it was merged into. */
function shoppers(log: readonly Event[], events: readonly Event[]): number {
  const customerOf = (owner: string): string => log.find(({ guest }) => guest === owner)?.owner ?? owner;
  return new Set(events.map(({ owner }) => customerOf(owner))).size;
}

/** Returns the shoppers who were active in the `days` days that end with `day`. */
export function activeShoppers(log: readonly Event[], day: string, days: number): number {
  const first = plusDays(day, 1 - days);
  return shoppers(
    log,
    shopping(log).filter((event) => event.day >= first && event.day <= day),
  );
}

/** Returns the expected reports of a period at a time. */
export function reports(log: readonly Event[], at: Date, timeZone: string, days: number): Reports {
  const local = localDay(at, timeZone);
  // After a shop moved to a western time zone, up to two of its future days have activity.
  const been = shopping(log).map(({ day }) => day);
  const today = [2, 1].map((ahead) => plusDays(local, ahead)).find((day) => been.includes(day)) ?? local;
  const dates = Array.from({ length: days }, (_, i) => plusDays(today, i + 1 - days));

  const of = (kind: Event["kind"], ...on: string[]): Event[] =>
    shopping(log).filter((event) => event.kind === kind && on.includes(event.day));
  const saved = of("added", ...dates);
  const everCarted = new Set(log.filter(({ kind }) => kind === "carted").map(({ stay }) => stay));
  const later = saved.filter(({ stay }) => everCarted.has(stay)).length;

  const counts = new Map<string, number>();
  for (const { kind, item } of log) {
    if (!item || (kind !== "added" && kind !== "removed")) continue;
    for (const name of [item.product, nameOf(item)])
      counts.set(name, (counts.get(name) ?? 0) + (kind === "added" ? 1 : -1));
  }
  return {
    overview: {
      totalWishlistedItems: saved.length - of("removed", ...dates).length,
      activeShoppers: activeShoppers(log, today, days),
      wishlistToCartRate: saved.length === 0 ? 0 : Number(((100 * later) / saved.length).toFixed(2)),
    },
    daily: dates.map((date) => ({
      date,
      itemsAdded: of("added", date).length,
      itemsRemoved: of("removed", date).length,
      uniqueShoppers: activeShoppers(log, date, 1),
      addToCartFromWishlist: of("carted", date).length,
    })),
    counts: new Map([...counts].filter(([, count]) => count !== 0)),
  };
}

/** Returns the shoppers' activity per product and day, as `product day added removed carted`. */
export function productDays(log: readonly Event[]): string[] {
  const counts = new Map<string, { added: number; removed: number; carted: number }>();
  for (const { kind, item, day } of shopping(log)) {
    if (!item || kind === "shared" || kind === "merged") continue;
    const of = counts.get(`${item.product} ${day}`) ?? { added: 0, removed: 0, carted: 0 };
    of[kind]++;
    counts.set(`${item.product} ${day}`, of);
  }
  return [...counts].map(([of, { added, removed, carted }]) => `${of} ${added} ${removed} ${carted}`).sort();
}
