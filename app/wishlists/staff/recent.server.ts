import { runOne, run, statement } from "../../platform/database/database.server.ts";
import { DEFAULT_LIST } from "../owner.ts";
import { LIST_CHANGES, type RecentList, type RecentLists } from "./view.ts";

/** Lists on a page. */
const PAGE = 50;
/** Changes that a scan reads, and scans per page. They bound the cost of a page in a shop with many changes. */
const SCANNED = 2_000;
const SCANS = 2;

interface Row {
  scanned: number;
  /** id of the last change that was scanned */
  edge: number | null;
  activity_id: number | null;
  wishlist_id: number;
  owner_kind: "customer" | "guest";
  owner_id: string;
  item_count: number;
  handle: string;
  name: string | null;
  at: Date;
  kind: (typeof LIST_CHANGES)[number];
}

const KINDS = LIST_CHANGES.map((kind) => `'${kind}'`).join(", ");

/**
 * Returns a statement that scans the activity from a change on. A list appears at its latest change, which is the one with the list's version,
 * so that no index of lists by change is needed, which every change of a wishlist would have to update.
 */
function scanStatement(name: string, beyond: "<" | ">", order: "DESC" | "ASC") {
  return statement<Row>(
    name,
    `WITH scanned AS MATERIALIZED (
       SELECT id, wishlist_id, version, at, kind FROM activity
        WHERE shop_id = $1 AND id ${beyond} $2 ORDER BY id ${order} LIMIT ${SCANNED}
     ), lists AS MATERIALIZED (
       SELECT wishlist_id, max(id) AS id, max(version) AS version
         FROM scanned WHERE kind IN (${KINDS}) GROUP BY wishlist_id
     )
     SELECT e.scanned, e.edge, r.activity_id, r.wishlist_id, r.owner_kind, r.owner_id, r.item_count, r.handle, r.name, r.at, r.kind
       FROM (SELECT count(*) AS scanned, ${order === "DESC" ? "min" : "max"}(id) AS edge FROM scanned) AS e
       LEFT JOIN (SELECT l.id AS activity_id, w.id AS wishlist_id, w.owner_kind, w.owner_id, w.item_count, w.handle, w.name, a.at, a.kind
                    FROM lists l
                   CROSS JOIN LATERAL (SELECT id, owner_kind, owner_id, item_count, handle, name FROM wishlist
                                        WHERE shop_id = $1 AND id = l.wishlist_id AND version = l.version LIMIT 1) AS w
                    JOIN scanned a ON a.id = l.id
                   ORDER BY l.id ${order} LIMIT ${PAGE + 1}) AS r ON true
      ORDER BY r.activity_id ${order}`,
  );
}

const olderStatement = scanStatement("recent_lists", "<", "DESC");
const newerStatement = scanStatement("recent_lists_newer", ">", "ASC");

/** Greater than the id of every change. */
const END = "9223372036854775807";

type Found = Row & { activity_id: number };

/** Scans the activity for changed lists. @returns at most one list more than a page has, in the order of the scan */
async function scan(
  shopId: number,
  from: string,
  back: boolean,
): Promise<{ found: Found[]; edge: number | undefined }> {
  const found = new Map<number, Found>();
  let edge: number | undefined;
  for (let scans = 0; scans < SCANS; scans++) {
    const rows = await run(back ? newerStatement : olderStatement, [shopId, edge ?? from]);
    for (const row of rows) {
      const { activity_id } = row;
      if (activity_id !== null && !found.has(row.wishlist_id)) found.set(row.wishlist_id, { ...row, activity_id });
    }
    const [first] = rows;
    edge = first?.scanned === SCANNED ? (first.edge ?? undefined) : undefined;
    if (edge === undefined || found.size > PAGE) break;
  }
  return { found: [...found.values()].slice(0, PAGE + 1), edge };
}

function toRecent({ wishlist_id, owner_kind, owner_id, item_count, handle, name, at, kind }: Found): RecentList {
  return {
    wishlistId: String(wishlist_id),
    owner: owner_kind === "customer" ? { kind: owner_kind, customerId: owner_id } : { kind: owner_kind },
    name: { name: name ?? undefined, isDefault: handle === DEFAULT_LIST },
    itemCount: item_count,
    changedAt: at,
    change: kind,
  };
}

const anyStatement = statement<{ some: boolean }>(
  "any_activity_after",
  "SELECT EXISTS (SELECT 1 FROM activity WHERE shop_id = $1 AND id >= $2) AS some",
);

/**
 * Returns a page of recently changed lists, newest first.
 * @param from a cursor: lists changed before or after this change
 */
export async function recentLists(
  shopId: number,
  from: { before: string } | { after: string } | undefined,
): Promise<RecentLists> {
  const back = from !== undefined && "after" in from;
  const start = from === undefined ? END : "after" in from ? from.after : from.before;
  const { found, edge } = await scan(shopId, start, back);
  const page = found.slice(0, PAGE);
  const next = found[PAGE]?.activity_id;
  if (back) {
    // A request can change many items of a list; its latest change is the cursor.
    const further = next === undefined ? edge : page.at(-1)?.activity_id;
    return {
      lists: page.map(toRecent).reverse(),
      newer: further === undefined ? undefined : String(further),
      older: String(Number(start) + 1),
    };
  }
  const further = next === undefined ? edge : next + 1;
  const some = from !== undefined && (await runOne(anyStatement, [shopId, start])).some;
  return {
    lists: page.map(toRecent),
    newer: some ? String(page[0]?.activity_id ?? Number(start) - 1) : undefined,
    older: further === undefined ? undefined : String(further),
  };
}
