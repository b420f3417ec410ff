import type { Change } from "./change-text.ts";
import { eventsOf, type ChangeStream } from "./change-stream.server.ts";
import { filterKey, type Filter } from "./feed.server.ts";
import { changesSent } from "./metrics.server.ts";

/** Changes, their code units, and milliseconds for which a shop's last changes stay in memory, for streams that resume: as bytes less than may wait in one. */
const MAX_RECENT = 500;
const MAX_RECENT_UNITS = 128 * 1024;
const RECENT_MS = 30_000;

/** Streams with the same filter, which get the same bytes. */
interface Group {
  filter: Filter;
  streams: Set<ChangeStream>;
  /** position of the last event or comment with an id */
  announced: number;
}

function matches({ types, customerId }: Filter, change: Change): boolean {
  return (
    (customerId === undefined || customerId === change.customerId) &&
    (types === undefined || types.includes(change.type))
  );
}

function unitsOf(changes: readonly Change[]): number {
  return changes.reduce((units, { json }) => units + json.length, 0);
}

/** The live part of a shop's feed in this process: its open streams and where they are. */
export class ShopFeed {
  readonly shopId: number;
  /** number of the last change that the live streams have */
  position = 0;
  /** highest number that this process has heard of */
  #heard = 0;
  /** when the process heard of the first change that the live streams lack, in milliseconds */
  #behindSince: number | undefined;
  /** open streams, and those that are being opened */
  streams = 0;
  /** groups that are not bound to a customer, by filter */
  readonly #shared = new Map<string, Group>();
  /** groups by customer and filter */
  readonly #byCustomer = new Map<string, Map<string, Group>>();
  /** every change after `#recentFrom` up to `position` */
  #recent: (Change & { readAt: number })[] = [];
  #recentFrom = 0;
  #recentUnits = 0;

  constructor(shopId: number) {
    this.shopId = shopId;
  }

  /** Sets where the feed begins. */
  begin(position: number): void {
    this.position = position;
    this.#recentFrom = position;
  }

  /** Records the number of the shop's last change. @param at now, in milliseconds */
  hear(lastNumber: number, at: number): void {
    this.#heard = Math.max(this.#heard, lastNumber);
    if (this.#heard > this.position) this.#behindSince ??= at;
  }

  /** Returns for how many milliseconds the live streams have lacked a change. */
  behindMs(at: number): number {
    return this.#behindSince === undefined ? 0 : at - this.#behindSince;
  }

  /** Tells whether a stream can join that has everything up to a position. */
  canJoin(position: number): boolean {
    return position >= this.#recentFrom && position <= this.position;
  }

  /** Gives a stream the changes after its position and makes it live. The position must be one that can join. */
  join(stream: ChangeStream, after: number): void {
    const { filter } = stream;
    const missed = this.#recent.filter((change) => change.number > after && matches(filter, change));
    if (missed.length > 0) {
      changesSent.inc({ to: "stream" }, missed.length);
      stream.write(eventsOf(filter, missed));
    }
    if (!stream.isOpen) return;
    const groups = this.#groupsOf(filter);
    const key = filterKey(filter);
    let group = groups.get(key);
    if (!group) {
      group = { filter, streams: new Set(), announced: this.position };
      groups.set(key, group);
    }
    group.streams.add(stream);
  }

  /** Removes a stream, if it is live. */
  leave(stream: ChangeStream): void {
    const { filter } = stream;
    const groups = this.#groupsOf(filter);
    const key = filterKey(filter);
    const group = groups.get(key);
    group?.streams.delete(stream);
    if (group?.streams.size === 0) groups.delete(key);
    if (filter.customerId !== undefined && groups.size === 0) this.#byCustomer.delete(filter.customerId);
  }

  #groupsOf({ customerId }: Filter): Map<string, Group> {
    if (customerId === undefined) return this.#shared;
    let groups = this.#byCustomer.get(customerId);
    if (!groups) {
      groups = new Map();
      this.#byCustomer.set(customerId, groups);
    }
    return groups;
  }

  /** Sends the next changes to the streams. @param position number of the last change that was considered */
  deliver(changes: readonly Change[], position: number): void {
    const readAt = performance.now();
    this.position = position;
    if (position >= this.#heard) this.#behindSince = undefined;
    for (const change of changes) {
      this.#recent.push({ ...change, readAt });
      this.#recentUnits += change.json.length;
    }
    let surplus = 0;
    let units = this.#recentUnits;
    while (this.#recent.length - surplus > MAX_RECENT || units > MAX_RECENT_UNITS) {
      units -= this.#recent[surplus++]?.json.length ?? 0;
    }
    this.#trim(surplus);

    for (const group of this.#shared.values()) this.#send(group, changes);
    const ofCustomers = Map.groupBy(changes, ({ customerId }) => customerId);
    for (const [customerId, own] of ofCustomers) {
      for (const group of this.#byCustomer.get(customerId)?.values() ?? []) this.#send(group, own);
    }
  }

  #send(group: Group, changes: readonly Change[]): void {
    const wanted = changes.filter((change) => matches(group.filter, change));
    const last = wanted.at(-1);
    if (!last) return;
    const bytes = eventsOf(group.filter, wanted);
    group.announced = last.number;
    changesSent.inc({ to: "stream" }, wanted.length * group.streams.size);
    for (const stream of group.streams) stream.write(bytes);
  }

  /** Returns the live streams by group. */
  *groups(): Generator<Group> {
    yield* this.#shared.values();
    for (const groups of this.#byCustomer.values()) yield* groups.values();
  }

  /** Removes changes from memory that are older than streams take to resume. */
  discardOld(): void {
    const since = performance.now() - RECENT_MS;
    const kept = this.#recent.findIndex(({ readAt }) => readAt >= since);
    this.#trim(kept < 0 ? this.#recent.length : kept);
  }

  #trim(count: number): void {
    if (count <= 0) return;
    const removed = this.#recent.splice(0, count);
    this.#recentUnits -= unitsOf(removed);
    this.#recentFrom = removed.at(-1)?.number ?? this.#recentFrom;
  }
}
