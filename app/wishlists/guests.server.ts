import { wakeRelay } from "../activity/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { sha256 } from "../platform/crypto.server.ts";
import { run, runOne, shopStatement, statement } from "../platform/database.server.ts";
import type { Failure } from "../platform/failure.ts";
import { log } from "../platform/log.server.ts";
import { deleteInBatches } from "../platform/retention.server.ts";
import type { Owner } from "./read.server.ts";
import { refusal } from "./refusals.server.ts";

/** Guests looked at in a transaction of the purge. */
const PURGE_BATCH = 500;

/**
 * A guest as an owner. The id that the browser made is all that protects the list, so the hash alone is kept: who reads the database can't
 * act as a guest.
 */
export function guestOwner(shopId: number, guestId: string): Owner {
  return { shopId, kind: "guest", id: sha256(guestId).toString("base64url") };
}

export interface Folded {
  /** items that were not in the customer's wishlist before */
  addedCount: number;
  itemCount: number;
}

const foldStatement = shopStatement<{ folded: boolean; added_count: number; count_after: number }>(
  "wishlist_fold",
  "SELECT folded, added_count, count_after FROM wishlist_fold(p_shop_id => $1, p_guest_id => $2, p_customer_id => $3, p_at => $4)",
);

/**
 * Folds a guest's list into a customer's at login, exactly once, however many tabs ask for it. From then on the guest is nobody: a write
 * under that id is refused with `guest_folded`.
 * @returns `wishlist_full`; nothing is changed then
 */
export async function foldGuest(guest: Owner, customer: Owner): Promise<Folded | Failure> {
  try {
    const row = await runOne(foldStatement, [customer.shopId, guest.id, customer.id, now()]);
    if (row.folded) wakeRelay(customer.shopId);
    return { addedCount: row.added_count, itemCount: row.count_after };
  } catch (error) {
    return refusal(error);
  }
}

const seenStatement = shopStatement<Record<string, never>>(
  "guest_seen",
  "SELECT guest_seen(p_shop_id => $1, p_guest_id => $2, p_at => $3)",
);

/** Says that a guest's list is in use, though nothing of it changes: it is not purged. */
export async function noteGuest(guest: Owner): Promise<void> {
  await run(seenStatement, [guest.shopId, guest.id, now()]).catch((error: unknown) => {
    log.warn({ err: error }, "the use of a guest's list was not noted");
  });
}

const purgeStatement = shopStatement<{ gone: number; last: string | null }>(
  "guest_purge",
  "SELECT gone, last FROM guest_purge(p_shop_id => $1, p_before => $2, p_after => $3, p_limit => $4, p_at => $5)",
);

const foldedStatement = statement<{ gone: number }>(
  "drop_folded_guests",
  `WITH gone AS (
     DELETE FROM folded_guest WHERE shop_id = $1
        AND guest_id = ANY (ARRAY(SELECT guest_id FROM folded_guest WHERE shop_id = $1 AND folded_at < $2 ORDER BY folded_at LIMIT $3))
     RETURNING 1
   )
   SELECT count(*) AS gone FROM gone`,
);

/** Removes the lists of a shop's guests who have not come since, and forgets whose lists were folded before. */
export async function purgeGuests(shopId: number, before: Date): Promise<void> {
  for (let after: string | null = ""; after !== null;) {
    const { gone, last }: { gone: number; last: string | null } = await runOne(purgeStatement, [
      shopId,
      before,
      after,
      PURGE_BATCH,
      now(),
    ]);
    if (gone > 0) wakeRelay(shopId);
    after = last;
  }
  await deleteInBatches(foldedStatement, [shopId, before]);
}
