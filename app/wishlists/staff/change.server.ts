import type { Prisma } from "@prisma/client";
import { wakeOutbox } from "../../activity/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { seal, sha256 } from "../../platform/encryption/crypto.server.ts";
import { afterCommit, executionIn } from "../../platform/database/transaction.server.ts";
import { Failure } from "../../platform/failure.ts";
import { audit, type Staff } from "../../audit/index.server.ts";
import { FEATURES, hasFeature, PLANS, type Plan } from "../../billing/index.server.ts";
import { addItem } from "../items/add.server.ts";
import type { Details } from "../items/details.ts";
import { idOf, type ListRef } from "../owner.ts";
import { refusal } from "../refusals.server.ts";
import { freshToken, SEAL_PURPOSE } from "../sharing/share-links.server.ts";
import { listRefOf } from "./read.server.ts";

/** A wishlist and the staff member that changes it. */
export interface StaffTarget {
  shopId: number;
  wishlistId: string;
  staff: Staff;
}

function wishlistGone(): Failure {
  return new Failure(
    "not_found",
    "This wishlist no longer exists. After a guest logs in, their items are in the wishlist of their account.",
  );
}

/** What staff read instead of a message of the API. */
const STAFF_MESSAGES: Partial<Record<Failure["code"], string>> = {
  list_not_found: "This list was deleted. Restore it before you change it.",
  list_name_taken:
    "Another list of this customer has the same name now. The customer has to rename or delete it first.",
  list_limit_reached: "This customer has 50 lists already. The customer has to delete one first.",
  wishlist_full: "The list would have more items than your settings allow, so nothing was changed.",
  version_not_found: "This list never had this version.",
  version_expired: "The changes after this version are no longer kept, so it can't be restored.",
};

/** Returns a refusal in words for staff. */
export function toStaff(refused: Failure): Failure {
  if (refused.code === "guest_merged") return wishlistGone();
  return new Failure(refused.code, STAFF_MESSAGES[refused.code] ?? refused.message);
}

/** Changes a list. @param change gets the list, which may be deleted */
export async function changeAsStaff<Outcome>(
  { shopId, wishlistId }: StaffTarget,
  change: (list: ListRef) => Promise<Outcome>,
): Promise<Outcome | Failure> {
  const list = await listRefOf(shopId, wishlistId);
  if (!list) return wishlistGone();
  try {
    return await change(list);
  } catch (error) {
    // The failed statement has aborted the transaction: nothing of it is committed.
    return toStaff(refusal(error));
  }
}

export function auditEntryOf({ shopId, wishlistId, staff }: StaffTarget, owner: ListRef) {
  return { shopId, staff, subject: wishlistId, customerId: owner.kind === "customer" ? owner.id : undefined };
}

export function wakeAfterCommit(tx: Prisma.TransactionClient, { shopId }: StaffTarget): void {
  afterCommit(tx, () => {
    wakeOutbox(shopId);
  });
}

/**
 * Adds a variant to a customer's list, unless the list has it, and writes the audit entry.
 * @returns `added` is false when the list had the variant; then its details stay as they are
 */
export async function addByStaff(
  tx: Prisma.TransactionClient,
  target: StaffTarget,
  item: { productId: string; variantId: string } & Pick<Details, "quantity" | "note">,
): Promise<{ added: boolean } | Failure> {
  return changeAsStaff(target, async (list) => {
    if (list.kind === "guest")
      return new Failure("login_required", "Staff can add items to customers' lists only, and this is a guest's.");
    const { productId, variantId, ...details } = item;
    const outcome = await addItem(list, { productId, variantId, details }, "staff", undefined, executionIn(tx));
    if (outcome instanceof Failure) return toStaff(outcome);
    if (outcome.added) {
      const entry = { ...auditEntryOf(target, list), action: "wishlist.item_added" } as const;
      await audit(tx, { ...entry, details: { items: [{ productId, variantId }] } });
    }
    return { added: outcome.added };
  });
}

/** Removes items from a wishlist and writes the audit entry. Items that are no longer in the wishlist are not counted. */
export async function removeByStaff(
  tx: Prisma.TransactionClient,
  target: StaffTarget,
  items: readonly { productId: string; variantId: string }[],
): Promise<{ removed: number } | Failure> {
  return changeAsStaff(target, async (list) => {
    const at = now();
    const removed: (typeof items)[number][] = [];
    for (const item of items) {
      const [row] = await tx.$queryRaw<{ removed: number }[]>`
        SELECT removed_count AS removed
          FROM wishlist_remove(p_shop_id => ${list.shopId}::bigint, p_owner_kind => ${list.kind}, p_owner_id => ${list.id},
                               p_product_id => ${item.productId}, p_variant_id => ${item.variantId}, p_source => 'staff', p_at => ${at}, p_list => ${idOf(list)})`;
      if (row && row.removed > 0) removed.push(item);
    }
    if (removed.length > 0) {
      await audit(tx, {
        ...auditEntryOf(target, list),
        action: "wishlist.items_removed",
        details: { items: removed },
      });
      wakeAfterCommit(tx, target);
    }
    return { removed: removed.length };
  });
}

/** Creates a share link of a customer's wishlist, unless it has one, and writes the audit entry. */
export async function shareByStaff(
  tx: Prisma.TransactionClient,
  target: StaffTarget,
  plan: Plan,
): Promise<{ created: boolean } | Failure> {
  if (!hasFeature(plan, "sharing")) {
    const { from } = FEATURES.sharing;
    const message = `Share links need the ${PLANS[from].name} plan or a higher one.`;
    return new Failure("plan_required", message, { details: { requiredPlan: from } });
  }
  return changeAsStaff(target, async (list) => {
    if (list.kind === "guest")
      return new Failure("login_required", "A guest wishlist can't be shared. Share links need a customer account.");
    const token = freshToken(list.shopId);
    const [row] = await tx.$queryRaw<{ created: boolean }[]>`
      SELECT created FROM wishlist_share(p_shop_id => ${list.shopId}::bigint, p_owner_kind => ${list.kind},
                                         p_owner_id => ${list.id}, p_token_hash => ${new Uint8Array(sha256(token))},
                                         p_token_sealed => ${seal(token, SEAL_PURPOSE)}, p_source => 'staff', p_at => ${now()},
                                         p_list => ${idOf(list)})`;
    const created = row?.created === true;
    if (created) {
      await audit(tx, { ...auditEntryOf(target, list), action: "wishlist.share_created" });
      wakeAfterCommit(tx, target);
    }
    return { created };
  });
}

/** Revokes a wishlist's share link, whatever the plan, and writes the audit entry. */
export async function unshareByStaff(
  tx: Prisma.TransactionClient,
  target: StaffTarget,
): Promise<{ revoked: boolean } | Failure> {
  return changeAsStaff(target, async (list) => {
    const [row] = await tx.$queryRaw<{ revoked: boolean }[]>`
      SELECT revoked FROM wishlist_unshare(p_shop_id => ${list.shopId}::bigint, p_owner_kind => ${list.kind},
                                           p_owner_id => ${list.id}, p_at => ${now()}, p_list => ${idOf(list)})`;
    const revoked = row?.revoked === true;
    if (revoked) await audit(tx, { ...auditEntryOf(target, list), action: "wishlist.share_revoked" });
    return { revoked };
  });
}
