import type { Activity } from "./activity.ts";
import { openWishlist } from "./demand.ts";
import type { Choice, Wishlist } from "./demand.ts";
import type { SeedEvent } from "./model.ts";
import type { Random } from "./random.ts";
import type { Rhythm } from "./rhythm.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** Minimum time between two visits of a customer. */
const MIN_GAP = 10 * MINUTE;
const ADDS_PER_VISIT = 3;
const MAX_VISITS_WITHOUT_ADDS = 4;
/** Share of removed items that is removed in the visit that saved them. */
const REMOVED_IN_SAME_VISIT = 0.15;
/** Share of items that customers with a guest list save on it. */
const SAVED_AS_GUEST = 0.3;
const MAX_SAVED_AS_GUEST = 12;

interface Visit {
  at: number;
  adds: number;
  /** true when the items are saved as a guest, before the login of this visit */
  asGuest: boolean;
  share: boolean;
  /** items of earlier visits that this visit removes */
  removals: Choice[];
}

/** Generates the events of one customer between the rhythm's start and end, oldest first. */
export function generateHistory(
  customerId: string,
  activity: Activity,
  choices: readonly Choice[],
  rhythm: Rhythm,
  random: Random,
): SeedEvent[] {
  if (activity.adds === 0) return [];
  const wishlist = openWishlist(choices, random);
  const visits = planVisits(activity, rhythm, random);
  const events: SeedEvent[] = [];
  let clock = rhythm.start - MIN_GAP;

  /** Returns the time of the next event. Events after the end of the history are removed below. */
  const next = (): Date => {
    clock += random.integer(15 * SECOND, 3 * MINUTE);
    return new Date(clock);
  };
  const remove = (choice: Choice): void => {
    wishlist.remove(choice);
    events.push({ at: next(), kind: "remove", customerId, ...item(choice) });
  };

  for (const [index, visit] of visits.entries()) {
    clock = Math.max(visit.at, clock + MIN_GAP);
    visit.removals.forEach(remove);

    const campaign = rhythm.inCampaign(visit.at);
    const saved = fill(wishlist, visit, campaign);
    const guestStart = visit.asGuest ? guestVisitStart(visit, rhythm, random) : undefined;
    if (guestStart !== undefined && saved.length > 0) {
      const items = guestItems(saved, guestStart, random);
      events.push({ at: next(), kind: "merge", customerId, items });
    } else {
      for (const choice of saved) events.push({ at: next(), kind: "add", customerId, ...item(choice) });
    }

    const laterVisits = visits.slice(index + 1);
    for (const choice of saved) {
      if (!random.chance(activity.removal)) continue;
      if (random.chance(REMOVED_IN_SAME_VISIT)) remove(choice);
      else if (laterVisits.length > 0) random.pick(laterVisits).removals.push(choice);
    }

    if (visit.share && !wishlist.isEmpty()) events.push({ at: next(), kind: "share", customerId });
  }

  // A prefix of a consistent history is consistent.
  return events.filter(({ at }) => at.getTime() <= rhythm.end);
}

function planVisits(activity: Activity, rhythm: Rhythm, random: Random): Visit[] {
  const count = Math.ceil(activity.adds / ADDS_PER_VISIT) + random.integer(1, MAX_VISITS_WITHOUT_ADDS);
  const visits = Array.from({ length: count }, () => rhythm.instantOf(random.next()))
    .sort((left, right) => left - right)
    .map((at): Visit => ({ at, adds: 0, asGuest: false, share: false, removals: [] }));

  let savedAsGuest = 0;
  if (activity.usesGuestList) {
    const login = random.pick(visits);
    savedAsGuest = Math.min(MAX_SAVED_AS_GUEST, Math.ceil(activity.adds * SAVED_AS_GUEST));
    login.asGuest = true;
    login.adds = savedAsGuest;
  }
  for (let add = savedAsGuest; add < activity.adds; add++) random.pick(visits).adds++;
  for (let share = 0; share < activity.shares; share++) random.pick(visits).share = true;
  return visits;
}

function fill(wishlist: Wishlist, visit: Visit, campaign: boolean): Choice[] {
  const saved: Choice[] = [];
  for (let add = 0; add < visit.adds; add++) {
    const choice = wishlist.save({ campaign, onlyNew: visit.asGuest });
    if (choice !== undefined) saved.push(choice);
  }
  return saved;
}

/**
 * Returns when the guest began to save, in epoch milliseconds: shortly before the login, or at that time some days earlier.
 * Undefined when that is before the start of the history.
 */
function guestVisitStart(visit: Visit, rhythm: Rhythm, random: Random): number | undefined {
  const enough = visit.adds * 2 * MINUTE + random.integer(1 * MINUTE, 20 * MINUTE);
  const justBefore = visit.at - enough;
  const daysBefore = justBefore - random.integer(0, 5) * DAY;
  return [daysBefore, justBefore].find((start) => start >= rhythm.start);
}

function guestItems(
  saved: readonly Choice[],
  start: number,
  random: Random,
): { productId: string; variantId: string; addedAt: Date }[] {
  let clock = start;
  return saved.map((choice) => {
    clock += random.integer(15 * SECOND, 2 * MINUTE);
    return { ...item(choice), addedAt: new Date(clock) };
  });
}

function item({ productId, variantId }: Choice): { productId: string; variantId: string } {
  return { productId, variantId };
}
