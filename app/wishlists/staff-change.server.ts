import type { Prisma } from "@prisma/client";
import { wakeOutbox } from "../activity/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { seal, sha256 } from "../platform/crypto.server.ts";
import { shopTransaction } from "../platform/database.server.ts";
import { Failure } from "../platform/failure.ts";
import { audit, type Staff } from "../audit/index.server.ts";
import { FEATURES, hasFeature, PLANS, type Plan } from "../billing/index.server.ts";
import type { Owner } from "./read.server.ts";
import { refusal } from "./refusals.server.ts";
import { freshToken, SEAL_PURPOSE } from "./share.server.ts";
import { ownerOf } from "./staff-read.server.ts";

/** Staff at a list: what they do and that it was they are written in one transaction. */
interface Place {
  shopId: number;
  wishlistId: string;
  staff: Staff;
}

function gone(): Failure {
  return new Failure(
    "not_found",
    "This wishlist no longer exists. After a guest logs in, their items are in the wishlist of their account.",
  );
}

async function change<Outcome>(
  { shopId, wishlistId }: Place,
  work: (tx: Prisma.TransactionClient, owner: Owner) => Promise<Outcome>,
): Promise<Outcome | Failure> {
  const owner = await ownerOf(shopId, wishlistId);
  if (!owner) return gone();
  try {
    return await shopTransaction(shopId, (tx) => work(tx, owner));
  } catch (error) {
    const refused = refusal(error);
    return refused.code === "guest_folded" ? gone() : refused;
  }
}

function entryOf({ shopId, wishlistId, staff }: Place, owner: Owner) {
  return { shopId, staff, subject: wishlistId, customerId: owner.kind === "customer" ? owner.id : undefined };
}

/** Removes items from a list. What is gone already is none of those that are removed. */
export async function removeByStaff(
  place: Place,
  items: readonly { productId: string; variantId: string }[],
): Promise<{ removed: number } | Failure> {
  const outcome = await change(place, async (tx, owner) => {
    const rows = await tx.$queryRaw<{ productId: string; variantId: string; removed: number }[]>`
      SELECT i.product_id AS "productId", i.variant_id AS "variantId", r.removed_count AS removed
        FROM unnest(${items.map(({ productId }) => productId)}::text[], ${items.map(({ variantId }) => variantId)}::text[])
             AS i (product_id, variant_id)
       CROSS JOIN LATERAL wishlist_remove(p_shop_id => ${owner.shopId}::bigint, p_owner_kind => ${owner.kind},
                                          p_owner_id => ${owner.id}, p_product_id => i.product_id,
                                          p_variant_id => i.variant_id, p_source => 'staff', p_at => ${now()}) AS r`;
    const removed = rows.flatMap(({ removed: count, ...item }) => (count > 0 ? [item] : []));
    if (removed.length > 0) {
      await audit(tx, { ...entryOf(place, owner), act: "wishlist.items_removed", details: { items: removed } });
    }
    return { removed: removed.length };
  });
  if (!(outcome instanceof Failure) && outcome.removed > 0) wakeOutbox(place.shopId);
  return outcome;
}

/** Makes a share link for a customer who asks for one; when there is one already, nothing is made. */
export async function shareByStaff(place: Place, plan: Plan): Promise<{ created: boolean } | Failure> {
  if (!hasFeature(plan, "sharing")) {
    const { from } = FEATURES.sharing;
    const says = `Share links need the ${PLANS[from].name} plan or a higher one.`;
    return new Failure("plan_required", says, { details: { requiredPlan: from } });
  }
  const outcome = await change(place, async (tx, owner) => {
    if (owner.kind === "guest")
      return new Failure("login_required", "A guest wishlist can't be shared. Share links need a customer account.");
    const token = freshToken();
    const [row] = await tx.$queryRaw<{ created: boolean }[]>`
      SELECT created FROM wishlist_share(p_shop_id => ${owner.shopId}::bigint, p_owner_kind => ${owner.kind},
                                         p_owner_id => ${owner.id}, p_token_hash => ${new Uint8Array(sha256(token))},
                                         p_token_sealed => ${seal(token, SEAL_PURPOSE)}, p_source => 'staff', p_at => ${now()})`;
    const created = row?.created === true;
    if (created) await audit(tx, { ...entryOf(place, owner), act: "wishlist.share_created" });
    return { created };
  });
  if (!(outcome instanceof Failure) && outcome.created) wakeOutbox(place.shopId);
  return outcome;
}

/** Ends a list's share link, whatever the plan. */
export async function unshareByStaff(place: Place): Promise<{ revoked: boolean } | Failure> {
  return change(place, async (tx, owner) => {
    const [row] = await tx.$queryRaw<{ revoked: boolean }[]>`
      SELECT revoked FROM wishlist_unshare(p_shop_id => ${owner.shopId}::bigint, p_owner_kind => ${owner.kind},
                                           p_owner_id => ${owner.id}, p_at => ${now()})`;
    const revoked = row?.revoked === true;
    if (revoked) await audit(tx, { ...entryOf(place, owner), act: "wishlist.share_revoked" });
    return { revoked };
  });
}
