import type { PoolClient, QueryResultRow } from "pg";
import { seal } from "../../../app/platform/encryption/crypto.server.ts";
import { SEAL_PURPOSE } from "../../../app/wishlists/sharing/share-links.server.ts";
import { MAX_LISTS, type Act, type Operation, type Owner, type Refusal } from "./analytics-model.ts";

/** SQL for the shop's calendar day at the time $2. */
const DAY = "(SELECT ($2::timestamptz AT TIME ZONE time_zone)::date FROM shop WHERE id = $1)";

/** Deletes all items of an owner's lists and logs it, like an erasure. */
async function takeOut(client: PoolClient, shopId: number, owner: Owner, source: string, at: Date): Promise<void> {
  await client.query("SELECT wishlist_lock($1, $2, $3, $4, false)", [shopId, owner.kind, owner.id, at]);
  const { rows } = await client.query<{ id: number }>(
    "SELECT id FROM wishlist WHERE shop_id = $1 AND owner_kind = $2 AND owner_id = $3 AND item_count > 0 ORDER BY id FOR NO KEY UPDATE",
    [shopId, owner.kind, owner.id],
  );
  for (const { id } of rows) {
    await client.query(
      `WITH gone AS (
         DELETE FROM wishlist_item WHERE shop_id = $1 AND wishlist_id = $3 RETURNING *
       ), counted AS (
         UPDATE wishlist SET item_count = 0, version = version + 1 WHERE shop_id = $1 AND id = $3 RETURNING version
       ), logged AS (
         INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, at, day)
         SELECT $1, 'removed', $4, $5, $6, $3, c.version, 0, g.product_id, g.variant_id, $2, ${DAY} FROM gone g, counted c
       )
       SELECT 1`,
      [shopId, at, id, source, owner.kind, owner.id],
    );
  }
}

/** SQLSTATEs of refused changes. */
const REFUSALS: Record<string, Refusal> = {
  WL001: "list full",
  WL002: "merged guest",
  WL003: "no list",
  WL004: "name taken",
  WL005: "too many lists",
  WL007: "no item",
  WL008: "no version",
  WL009: "version not kept",
  WL010: "several variants",
};

/** Outcomes of refused changes. */
const OUTCOMES: Record<string, Refusal> = {
  full: "list full",
  name_taken: "name taken",
  too_many: "too many lists",
  not_movable: "default list",
};

/**
 * Applies a change within the client's transaction. A refused change is rolled back.
 * @returns why the change was refused, if it was
 */
export async function perform(client: PoolClient, shopId: number, act: Act, at: Date): Promise<Refusal | undefined> {
  await client.query("SAVEPOINT act");
  try {
    const outcome = await attempt(client, shopId, act, at);
    return outcome === undefined ? undefined : OUTCOMES[outcome];
  } catch (error) {
    const refusal =
      error instanceof Error && "code" in error && typeof error.code === "string" ? REFUSALS[error.code] : undefined;
    if (refusal === undefined) throw error;
    await client.query("ROLLBACK TO act");
    return refusal;
  }
}

/** Returns the public id and the version of a list, for a list that never existed an unknown id. */
async function listOf(
  client: PoolClient,
  shopId: number,
  { kind, id }: Owner,
  list: number,
): Promise<{ handle: string; version: number }> {
  const { rows } = await client.query<{ handle: string; version: number }>(
    `SELECT handle, version FROM wishlist WHERE shop_id = $1 AND owner_kind = $2 AND owner_id = $3 ORDER BY id LIMIT 1 OFFSET $4`,
    [shopId, kind, id, list],
  );
  return rows[0] ?? { handle: list === 0 ? "default" : "lst_unknown", version: 0 };
}

/** Numbers operations so that those of one number are of one kind and about different items. */
function phasesOf(operations: readonly Operation[]): number[] {
  let phase = 1;
  let first = 0;
  const nameOf = (operation: Operation): string => {
    const { product, variant } = operation.op === "add" ? operation.item : operation;
    return `${operation.op} ${product} ${variant ?? "*"}`;
  };
  return operations.map((operation, index) => {
    const together = operations.slice(first, index);
    if (together.some((other) => other.op !== operation.op || nameOf(other) === nameOf(operation))) {
      phase++;
      first = index;
    }
    return phase;
  });
}

/** @returns the outcome that the database's function returned, if it returned one */
async function attempt(client: PoolClient, shopId: number, act: Act, at: Date): Promise<string | undefined> {
  const call = async (name: string, given: Record<string, unknown>): Promise<string | undefined> => {
    const all = Object.entries({ shop_id: shopId, ...given, at });
    const { rows } = await client.query<QueryResultRow & { outcome?: string }>(
      `SELECT * FROM ${name}(${all.map(([parameter], i) => `p_${parameter} => $${i + 1}`).join(", ")})`,
      all.map(([, value]) => value),
    );
    return rows[0]?.outcome;
  };
  const handleOf = async (owner: Owner, list: number): Promise<string> =>
    (await listOf(client, shopId, owner, list)).handle;
  /** Calls a function that changes a list, or without one the lists of an owner. */
  const change = async (
    name: string,
    { owner, list, source }: { owner: Owner; list?: number; source: string },
    given: Record<string, unknown>,
  ): Promise<string | undefined> => {
    const listId = list === undefined ? {} : { list: await handleOf(owner, list) };
    return call(name, { owner_kind: owner.kind, owner_id: owner.id, ...listId, source, ...given });
  };

  switch (act.act) {
    case "add": {
      const { item, quantity } = act;
      return change("wishlist_add", act, { product_id: item.product, variant_id: item.variant, quantity });
    }
    case "remove":
      return change("wishlist_remove", act, { product_id: act.product, variant_id: act.variant });
    case "merge":
      return change("wishlist_merge", act, {
        product_ids: act.items.map(({ product }) => product),
        variant_ids: act.items.map(({ variant }) => variant),
        // The saves are older, but the day of the merge counts.
        added_at: act.items.map(() => new Date(at.getTime() - 5 * 86_400_000)),
      });
    case "update": {
      const { product, variant, changes } = act;
      return change("wishlist_update_item", act, { product_id: product, variant_id: variant, changes });
    }
    case "batch": {
      const items = act.operations.map((operation) => (operation.op === "add" ? operation.item : operation));
      return change("wishlist_batch", act, {
        kinds: act.operations.map(({ op }) => op),
        phases: phasesOf(act.operations),
        product_ids: items.map(({ product }) => product),
        variant_ids: items.map(({ variant }) => variant),
        details: act.operations.map((operation) => {
          if (operation.op === "update") return JSON.stringify(operation.changes);
          return operation.op === "add" && operation.quantity !== null
            ? JSON.stringify({ quantity: operation.quantity })
            : "{}";
        }),
      });
    }
    case "move": {
      const { owner, list, to, items, copy, source } = act;
      return change(
        "wishlist_move_items",
        { owner, source },
        {
          from: await handleOf(owner, list),
          to: await handleOf(owner, to),
          product_ids: items.map(({ product }) => product),
          variant_ids: items.map(({ variant }) => variant),
          copy,
        },
      );
    }
    case "cart": {
      const { item, event } = act;
      const given = { product_id: item.product, variant_id: item.variant, event_id: event };
      return change("wishlist_record_cart", act, given);
    }
    case "share": {
      const token = Buffer.from(crypto.randomUUID());
      return change("wishlist_share", act, { token_hash: token, token_sealed: seal("token", SEAL_PURPOSE) });
    }
    case "createList": {
      const { name } = act;
      const list = `lst_${crypto.randomUUID()}`;
      return change("wishlist_create_list", act, { list, name, name_key: name.toLowerCase(), limit: MAX_LISTS });
    }
    case "updateList": {
      const { name, position } = act;
      return change("wishlist_update_list", act, { name, name_key: name?.toLowerCase() ?? null, position });
    }
    case "deleteList":
      return change("wishlist_delete_list", act, {});
    case "restore": {
      const { version } = await listOf(client, shopId, act.owner, act.list);
      return change("wishlist_restore", act, { version: version - act.back, limit: MAX_LISTS });
    }
    case "login":
      return call("wishlist_merge_guest", { guest_id: act.guest, customer_id: act.customer, limit: MAX_LISTS });
    case "forget":
      await client.query("DELETE FROM merged_guest WHERE shop_id = $1 AND guest_id = $2", [shopId, act.guest]);
      return undefined;
    case "purge":
      return call("guest_purge", { before: "infinity", after: "", limit: 100 });
    case "clear":
      await takeOut(client, shopId, act.owner, act.source, at);
      return undefined;
  }
}
