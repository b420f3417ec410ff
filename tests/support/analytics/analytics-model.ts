// Computes the reports and webhook events from the list of all events of a shop, independently of the service's code and
// of its rollups.

export interface Owner {
  kind: "customer" | "guest";
  id: string;
}

export interface Item {
  product: string;
  variant: string;
}

/** One variant of a product, or without a variant all of them. */
export interface Choice {
  product: string;
  variant: string | null;
}

/** Details of an item. In a change, null clears a detail, and a missing one stays as it is. */
export interface Details {
  quantity?: number | null;
  position?: number | null;
}

export type Operation =
  | { op: "add"; item: Item; quantity: number | null }
  | ({ op: "remove" } & Choice)
  | ({ op: "update"; changes: Details } & Choice);

type Source = "api" | "storefront";

/** The number of a list among all that its owner has had, in the order of creation. 0 is the default list. */
type ListNumber = number;

/** A requested change. It may have no effect, or be refused. */
export type Act =
  | { act: "add"; owner: Owner; list: ListNumber; item: Item; quantity: number | null; source: Source }
  | ({ act: "remove"; owner: Owner; list: ListNumber; source: Source | "staff" } & Choice)
  | { act: "merge"; owner: Owner; list: ListNumber; items: Item[]; source: "merge" | "import" }
  | ({ act: "update"; owner: Owner; list: ListNumber; changes: Details; source: Source } & Choice)
  | { act: "batch"; owner: Owner; list: ListNumber; operations: Operation[]; source: Source }
  | { act: "move"; owner: Owner; list: ListNumber; to: ListNumber; items: Choice[]; copy: boolean; source: Source }
  /** without a list: the first of the lists that has the item */
  | { act: "cart"; owner: Owner; item: Item; event: string; source: Source }
  | { act: "share"; owner: Owner; list: ListNumber; source: Source }
  | { act: "createList"; owner: Owner; name: string; source: Source }
  /** renames a list, changes its position, or both */
  | { act: "updateList"; owner: Owner; list: ListNumber; name: string | null; position: number | null; source: Source }
  | { act: "deleteList"; owner: Owner; list: ListNumber; source: Source }
  /** restores a list to what it was `back` versions ago */
  | { act: "restore"; owner: Owner; list: ListNumber; back: number; source: "restore" | "staff" }
  /** merges a guest's lists into the customer's; after that the guest id is invalid */
  | { act: "login"; guest: string; customer: string }
  /** makes a merged guest id valid again, as after its retention */
  | { act: "forget"; guest: string }
  /** purges the lists of all guests */
  | { act: "purge" }
  /** removes all items of an owner, without a snapshot from which a restore could bring them back */
  | { act: "clear"; owner: Owner; source: "purge" | "erasure" };

export type Refusal =
  | "merged guest"
  | "no list"
  | "no item"
  | "several variants"
  | "list full"
  | "name taken"
  | "too many lists"
  | "default list"
  | "no version"
  | "version not kept";

/** What happened to an item or a list. */
type Happened =
  /** `stay`: number of the item's stay in wishlists, from its save to its removal, across moves, restores and a login */
  | { kind: "added" | "removed" | "carted"; list: ListNumber; item: Item; stay: number }
  | { kind: "updated"; list: ListNumber; item: Item; details: Details }
  /** `ended`: the target has the item already, so that the moved one is gone */
  | { kind: "moved"; list: ListNumber; item: Item; from: ListNumber; ended: boolean }
  | { kind: "shared"; list: ListNumber; itemCount: number }
  | { kind: "listCreated" | "listDeleted"; list: ListNumber; name: string | null }
  | { kind: "listRenamed"; list: ListNumber; name: string | null; previousName: string | null }
  | { kind: "listMoved"; list: ListNumber }
  /** the guest's lists were merged */
  | { kind: "merged"; guest: string };

/** An event that took effect. */
export type Event = Happened & {
  source: string;
  owner: string;
  at: Date;
  /** the shop's calendar day, YYYY-MM-DD */
  day: string;
};

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

/** The most lists of an owner and items of a list, low enough that histories reach them. */
export const MAX_LISTS = 3;
export const MAX_ITEMS = 3;

/** Sources whose saves and removals the reports count. */
const SHOPPING = ["api", "storefront", "cart", "merge"];
/** Sources of changes by shoppers. */
const ACTIVE = [...SHOPPING, "restore"];

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

function isChosen({ product, variant }: Choice, item: Item): boolean {
  return item.product === product && (variant === null || item.variant === variant);
}

interface Saved {
  item: Item;
  stay: number;
  quantity: number | null;
  position: number | null;
}

type Items = ReadonlyMap<string, Saved>;

interface List {
  owner: Owner;
  number: ListNumber;
  name: string | null;
  position: number;
  deleted: boolean;
  shared: boolean;
  version: number;
  items: Items;
  /** the items after each version that can be restored */
  versions: ReadonlyMap<number, Items>;
}

class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

const NOTHING: Items = new Map<string, Saved>();

function sameName(name: string | null, other: string): boolean {
  return name?.toLowerCase() === other.toLowerCase();
}

/** The model of a shop's wishlists. */
export class Wishlists {
  /** by owner: all lists, also deleted ones, in the order of their numbers */
  #lists: ReadonlyMap<string, readonly List[]> = new Map<string, readonly List[]>();
  /** guests who have logged in */
  readonly #merged = new Set<string>();
  /** owner, item and event */
  #carted: [owner: string, once: string][] = [];
  #stays = 0;
  #when: { at: Date; day: string } = { at: new Date(0), day: "" };
  #events: Event[] = [];

  /** Guests with a wishlist. */
  guests(): string[] {
    return [...this.#lists.keys()].filter((owner) => owner.startsWith("guest "));
  }

  /** Returns each list that was ever changed, with its items, as a line of text. */
  lines(): string[] {
    const changed = [...this.#lists.values()].flat().filter(({ version }) => version > 0);
    return changed.map(({ owner, number, name, deleted, version, items }) => {
      const details = [...items.values()].map(
        ({ item, quantity, position }) => `${nameOf(item)} ${quantity ?? "-"} ${position ?? "-"}`,
      );
      return [keyOf(owner), number, name ?? "-", deleted ? "deleted" : "open", version, ...details.sort()].join(" | ");
    });
  }

  /** Performs an act. A refused one changes nothing. */
  perform(act: Act, at: Date, day: string): { events: Event[]; refusal: Refusal | undefined } {
    const before = this.#lists;
    this.#when = { at, day };
    this.#events = [];
    try {
      if ("owner" in act && this.#merged.has(keyOf(act.owner))) throw new Refused("merged guest");
      this.#perform(act);
      return { events: this.#events, refusal: undefined };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#lists = before;
      return { events: [], refusal: error.refusal };
    }
  }

  #perform(act: Act): void {
    switch (act.act) {
      case "add": {
        this.#batch(act, [{ op: "add", item: act.item, quantity: act.quantity }]);
        return;
      }
      case "remove": {
        this.#batch(act, [{ op: "remove", product: act.product, variant: act.variant }]);
        return;
      }
      case "merge": {
        this.#batch(
          act,
          act.items.map((item) => ({ op: "add", item, quantity: null })),
        );
        return;
      }
      case "update": {
        const { product, variant, changes } = act;
        this.#batch(act, [{ op: "update", product, variant, changes }]);
        return;
      }
      case "batch": {
        this.#batch(act, act.operations);
        return;
      }
      case "move": {
        this.#move(act);
        return;
      }
      case "cart": {
        this.#cart(act);
        return;
      }
      case "share": {
        const list = this.#open(act.owner, act.list);
        if (list.shared) return;
        this.#put({ ...list, shared: true });
        this.#happened(act, { kind: "shared", list: list.number, itemCount: list.items.size });
        return;
      }
      case "createList":
        this.#create(act, act.name);
        return;
      case "updateList": {
        this.#updateList(act);
        return;
      }
      case "deleteList": {
        const list = this.#open(act.owner, act.list);
        this.#put({ ...this.#changed(list, NOTHING), deleted: true, shared: false });
        for (const { item, stay } of list.items.values())
          this.#happened(act, { kind: "removed", list: list.number, item, stay });
        this.#happened(act, { kind: "listDeleted", list: list.number, name: list.name });
        return;
      }
      case "restore": {
        this.#restore(act);
        return;
      }
      case "login": {
        this.#login(act);
        return;
      }
      case "forget":
        this.#merged.delete(`guest ${act.guest}`);
        return;
      case "purge":
        for (const key of this.guests()) {
          const [first] = this.#lists.get(key) ?? [];
          if (first) this.#empty(first.owner, "purge");
          this.#drop(key);
        }
        return;
      case "clear": {
        this.#empty(act.owner, act.source);
        return;
      }
    }
  }

  #happened({ owner, source }: { owner: Owner; source: string }, what: Happened): void {
    this.#events.push({ ...what, source, owner: keyOf(owner), ...this.#when });
  }

  #all(owner: Owner): readonly List[] {
    return this.#lists.get(keyOf(owner)) ?? [];
  }

  /** Returns the lists that are not deleted: the default list, which need not exist yet, and the others. */
  #openLists(owner: Owner): List[] {
    const empty = {
      owner,
      shared: false,
      deleted: false,
      version: 0,
      items: NOTHING,
      versions: new Map([[0, NOTHING]]),
    };
    const first: List = this.#all(owner)[0] ?? { ...empty, number: 0, name: null, position: 0 };
    return [first, ...this.#all(owner).slice(1)].filter(({ deleted }) => !deleted);
  }

  #open(owner: Owner, number: ListNumber): List {
    const list = this.#openLists(owner).find((one) => one.number === number);
    if (!list) throw new Refused("no list");
    return list;
  }

  #put(list: List): void {
    const all = [...this.#all(list.owner)];
    all[list.number] = list;
    this.#lists = new Map(this.#lists).set(keyOf(list.owner), all);
  }

  /** Returns a list with these items and a new version. */
  #changed(list: List, items: Items): List {
    if (items.size > MAX_ITEMS && items.size > list.items.size) throw new Refused("list full");
    const version = list.version + 1;
    return { ...list, items, version, versions: new Map(list.versions).set(version, items) };
  }

  /** Applies operations to a list in their order, as one version. */
  #batch(act: { owner: Owner; list: ListNumber; source: string }, operations: readonly Operation[]): void {
    const list = this.#open(act.owner, act.list);
    const items = new Map(list.items);
    const happened: Happened[] = [];
    for (const operation of operations) {
      if (operation.op === "add") {
        const { item, quantity } = operation;
        if (items.has(nameOf(item))) continue;
        const stay = ++this.#stays;
        items.set(nameOf(item), { item, stay, quantity, position: null });
        happened.push({ kind: "added", list: list.number, item, stay });
        continue;
      }
      const chosen = [...items.values()].filter(({ item }) => isChosen(operation, item));
      if (operation.op === "remove") {
        for (const { item, stay } of chosen) {
          items.delete(nameOf(item));
          happened.push({ kind: "removed", list: list.number, item, stay });
        }
        continue;
      }
      const [saved, another] = chosen;
      if (!saved) throw new Refused("no item");
      if (another) throw new Refused("several variants");
      const { quantity = saved.quantity, position = saved.position } = operation.changes;
      if (quantity === saved.quantity && position === saved.position) continue;
      items.set(nameOf(saved.item), { ...saved, quantity, position });
      happened.push({ kind: "updated", list: list.number, item: saved.item, details: { quantity, position } });
    }
    if (happened.length === 0) return;
    this.#put(this.#changed(list, items));
    for (const what of happened) this.#happened(act, what);
  }

  #move(act: Act & { act: "move" }): void {
    const source = this.#open(act.owner, act.list);
    const target = this.#open(act.owner, act.to);
    const both = [...source.items.values(), ...target.items.values()];
    if (act.items.some((choice) => !both.some(({ item }) => isChosen(choice, item)))) throw new Refused("no item");

    const chosen = [...source.items].filter(([, { item }]) => act.items.some((choice) => isChosen(choice, item)));
    const gained = chosen.filter(([name]) => !target.items.has(name));
    // The position was among the items of the other list.
    const arrived = gained.map(([name, saved]): [string, Saved] => [
      name,
      { ...saved, stay: act.copy ? ++this.#stays : saved.stay, position: null },
    ]);
    if (arrived.length > 0) this.#put(this.#changed(target, new Map([...target.items, ...arrived])));
    if (act.copy) {
      for (const [, { item, stay }] of arrived) this.#happened(act, { kind: "added", list: target.number, item, stay });
      return;
    }
    if (chosen.length === 0) return;
    const left = [...source.items].filter(([name]) => !chosen.some(([other]) => other === name));
    this.#put(this.#changed(source, new Map(left)));
    for (const [name, { item }] of chosen) {
      const ended = target.items.has(name);
      this.#happened(act, { kind: "moved", list: target.number, item, from: source.number, ended });
    }
  }

  #cart(act: Act & { act: "cart" }): void {
    const owner = keyOf(act.owner);
    const once = `${nameOf(act.item)} ${act.event}`;
    const [list] = this.#openLists(act.owner)
      .filter(({ items }) => items.has(nameOf(act.item)))
      .sort((a, b) => Number(a.number > 0) - Number(b.number > 0) || a.position - b.position || a.number - b.number);
    const saved = list?.items.get(nameOf(act.item));
    if (!list || !saved || this.#carted.some(([of, known]) => of === owner && known === once)) return;
    this.#carted.push([owner, once]);
    this.#happened(act, { kind: "carted", list: list.number, item: act.item, stay: saved.stay });
  }

  #create(act: { owner: Owner; source: string }, name: string): List {
    const [first, ...others] = this.#openLists(act.owner);
    if (!first) throw new Error("an owner has a default list");
    if ([first, ...others].some((list) => sameName(list.name, name))) throw new Refused("name taken");
    if (others.length + 1 >= MAX_LISTS) throw new Refused("too many lists");
    this.#put(first);
    const last = Math.max(first.position, ...others.map(({ position }) => position));
    const list = this.#changed(
      {
        ...{ owner: act.owner, number: this.#all(act.owner).length, name, position: Math.floor(last) + 1 },
        ...{ deleted: false, shared: false, version: 0, items: NOTHING, versions: new Map([[0, NOTHING]]) },
      },
      NOTHING,
    );
    this.#put(list);
    this.#happened(act, { kind: "listCreated", list: list.number, name });
    return list;
  }

  #updateList(act: Act & { act: "updateList" }): void {
    const list = this.#open(act.owner, act.list);
    if (list.number === 0 && act.position !== null) throw new Refused("default list");
    // A guest's lists begin with an item or a named list.
    if (act.owner.kind === "guest" && this.#all(act.owner).length === 0) throw new Refused("no list");
    const { name, position } = { name: act.name ?? list.name, position: act.position ?? list.position };
    const others = this.#openLists(act.owner).filter(({ number }) => number !== list.number);
    if (name !== list.name && name !== null && others.some((other) => sameName(other.name, name)))
      throw new Refused("name taken");
    if (name === list.name && position === list.position) return;
    this.#put({ ...this.#changed(list, list.items), name, position });
    this.#happened(
      act,
      name === list.name
        ? { kind: "listMoved", list: list.number }
        : { kind: "listRenamed", list: list.number, name, previousName: list.name },
    );
  }

  #restore(act: Act & { act: "restore" }): void {
    const list = this.#all(act.owner)[act.list];
    if (!list && act.list > 0) throw new Refused("no list");
    if (!list && act.back !== 0) throw new Refused("no version");
    // A default list in which nothing was ever saved stays as it is.
    if (!list) return;
    const others = this.#openLists(act.owner);
    if (list.deleted && others.some(({ name }) => list.name !== null && sameName(name, list.name)))
      throw new Refused("name taken");
    if (list.deleted && others.length >= MAX_LISTS) throw new Refused("too many lists");
    const version = list.version - act.back;
    if (version < 0 || version > list.version) throw new Refused("no version");
    const items = list.versions.get(version);
    if (!items) throw new Refused("version not kept");

    const happened: Happened[] = [];
    for (const [name, { item, stay }] of list.items)
      if (!items.has(name)) happened.push({ kind: "removed", list: list.number, item, stay });
    for (const [name, { item, stay, quantity, position }] of items) {
      const now = list.items.get(name);
      if (!now) happened.push({ kind: "added", list: list.number, item, stay });
      else if (now.stay !== stay || now.quantity !== quantity || now.position !== position)
        happened.push({ kind: "updated", list: list.number, item, details: { quantity, position } });
    }
    if (happened.length === 0 && !list.deleted) return;
    this.#put({ ...this.#changed(list, items), deleted: false });
    if (list.deleted) this.#happened(act, { kind: "listCreated", list: list.number, name: list.name });
    for (const what of happened) this.#happened(act, what);
  }

  #login(act: Act & { act: "login" }): void {
    const guest: Owner = { kind: "guest", id: act.guest };
    const customer: Owner = { kind: "customer", id: act.customer };
    const ofGuest = { owner: guest, source: "guest_merge" };
    const ofCustomer = { owner: customer, source: "guest_merge" };
    if (this.#merged.has(keyOf(guest))) return;
    const lists = this.#all(guest);
    if (lists.length > 0) this.#put(this.#open(customer, 0));
    for (const list of lists) {
      const target = this.#targetOf(list, customer);
      const gained = [...list.items].filter(([name]) => !target.items.has(name));
      for (const { item, stay } of list.items.values())
        this.#happened(ofGuest, { kind: "removed", list: list.number, item, stay });
      for (const [, { item, stay }] of gained)
        this.#happened(ofCustomer, { kind: "added", list: target.number, item, stay });
      if (gained.length > 0) this.#put(this.#changed(target, new Map([...target.items, ...gained])));
    }
    if (lists.length > 0) this.#happened(ofCustomer, { kind: "merged", guest: keyOf(guest) });
    this.#merged.add(keyOf(guest));
    for (const [of, once] of this.#carted) if (of === keyOf(guest)) this.#carted.push([keyOf(customer), once]);
    this.#drop(keyOf(guest));
  }

  /** Returns the customer's list into which a guest's list is merged: that of the same name, a new one, or the default list. */
  #targetOf({ number, deleted, name }: List, customer: Owner): List {
    const lists = this.#openLists(customer);
    const toDefault = number === 0 || deleted || name === null;
    const target = toDefault ? undefined : lists.find((list) => sameName(list.name, name));
    if (target) return target;
    if (toDefault || lists.length >= MAX_LISTS) return this.#open(customer, 0);
    return this.#create({ owner: customer, source: "guest_merge" }, name);
  }

  /** Removes all items of an owner. Earlier versions of the lists are lost. */
  #empty(owner: Owner, source: string): void {
    for (const list of this.#all(owner)) {
      if (list.items.size === 0) continue;
      const emptied = this.#changed(list, NOTHING);
      this.#put({ ...emptied, versions: new Map([[emptied.version, NOTHING]]) });
      for (const { item, stay } of list.items.values())
        this.#happened({ owner, source }, { kind: "removed", list: list.number, item, stay });
    }
  }

  /** Deletes the lists of an owner and their cart events. */
  #drop(owner: string): void {
    this.#lists = new Map([...this.#lists].filter(([of]) => of !== owner));
    this.#carted = this.#carted.filter(([of]) => of !== owner);
  }
}

/** Returns the events of changes by shoppers. */
function byShoppers(log: readonly Event[]): Event[] {
  return log.filter(({ source }) => ACTIVE.includes(source));
}

/** Returns the saves, removals and cart events that the reports count. */
function counted(log: readonly Event[]) {
  return log.flatMap((event) =>
    SHOPPING.includes(event.source) && (event.kind === "added" || event.kind === "removed" || event.kind === "carted")
      ? [event]
      : [],
  );
}

/** Returns the number of shoppers of these events. A merged guest counts as the first customer it was merged into. */
function shoppers(log: readonly Event[], events: readonly Event[]): number {
  const customerOf = (owner: string): string =>
    log.find((event) => event.kind === "merged" && event.guest === owner)?.owner ?? owner;
  return new Set(events.map(({ owner }) => customerOf(owner))).size;
}

/** Returns the shoppers who were active in the `days` days that end with `day`. */
export function activeShoppers(log: readonly Event[], day: string, days: number): number {
  const first = plusDays(day, 1 - days);
  return shoppers(
    log,
    byShoppers(log).filter((event) => event.day >= first && event.day <= day),
  );
}

/** Returns by how much an event changes the number of saved items, and which item. */
function savedCount(event: Event): { item: Item; change: number } | undefined {
  if (event.kind === "added") return { item: event.item, change: 1 };
  if (event.kind === "removed" || (event.kind === "moved" && event.ended)) return { item: event.item, change: -1 };
  return undefined;
}

/** Returns the expected reports of a period at a time. */
export function reports(log: readonly Event[], at: Date, timeZone: string, days: number): Reports {
  const local = localDay(at, timeZone);
  // After a shop moved to a western time zone, up to two of its future days have activity.
  const been = byShoppers(log).map(({ day }) => day);
  const today = [2, 1].map((ahead) => plusDays(local, ahead)).find((day) => been.includes(day)) ?? local;
  const dates = Array.from({ length: days }, (_, i) => plusDays(today, i + 1 - days));

  const of = (kind: "added" | "removed" | "carted", ...on: string[]) =>
    counted(log).filter((event) => event.kind === kind && on.includes(event.day));
  const saved = of("added", ...dates);
  const everCarted = new Set(log.flatMap((event) => (event.kind === "carted" ? [event.stay] : [])));
  const later = saved.filter(({ stay }) => everCarted.has(stay)).length;

  const counts = new Map<string, number>();
  for (const { item, change } of log.flatMap((event) => savedCount(event) ?? []))
    for (const name of [item.product, nameOf(item)]) counts.set(name, (counts.get(name) ?? 0) + change);
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
  for (const { kind, item, day } of counted(log)) {
    const of = counts.get(`${item.product} ${day}`) ?? { added: 0, removed: 0, carted: 0 };
    of[kind]++;
    counts.set(`${item.product} ${day}`, of);
  }
  return [...counts].map(([of, { added, removed, carted }]) => `${of} ${added} ${removed} ${carted}`).sort();
}

/** A webhook event. `data` lacks the customer and the list. */
export interface Webhook {
  event: string;
  at: Date;
  owner: string;
  list: ListNumber;
  data: Record<string, unknown>;
}

/** Sources that send webhook events: those of changes by or to customers, except imports and erasures. */
const SENT = [...ACTIVE, "guest_merge", "staff"];

/** Returns the webhook events of a log. A guest's changes send none. */
export function webhooks(log: readonly Event[]): Webhook[] {
  return log.flatMap((event) => {
    const { owner, at, source } = event;
    if (!owner.startsWith("customer ") || !SENT.includes(source) || !("list" in event)) return [];
    const sent = webhookOf(event);
    return sent ? [{ ...sent, at, owner, list: event.list }] : [];
  });
}

function webhookOf(event: Event): Pick<Webhook, "event" | "data"> | undefined {
  const item = (of: Item) => ({ productId: of.product, variantId: of.variant });
  switch (event.kind) {
    case "added":
      return { event: "wishlist.item.added", data: item(event.item) };
    case "removed":
      return { event: "wishlist.item.removed", data: item(event.item) };
    case "updated":
      return { event: "wishlist.item.updated", data: { ...item(event.item), ...set(event.details) } };
    case "moved":
      return { event: "wishlist.item.updated", data: { ...item(event.item), previousList: event.from } };
    case "shared":
      return { event: "wishlist.shared", data: { itemCount: event.itemCount } };
    case "listCreated":
      return { event: "wishlist.list.created", data: { name: event.name } };
    case "listRenamed":
      return { event: "wishlist.list.renamed", data: { name: event.name, previousName: event.previousName } };
    case "listDeleted":
      return { event: "wishlist.list.deleted", data: { name: event.name } };
    case "listMoved":
    case "carted":
    case "merged":
      return undefined;
  }
}

/** Returns the details that are set. */
function set(details: Details): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null));
}
