import { run, statement } from "../../platform/database/database.server.ts";
import type { ListSelection } from "./list-filters.ts";
import { ofEachOrder, selectionSql, selectionValues } from "./list-index.server.ts";

const statementOf = ofEachOrder(({ sort, direction }) =>
  statement<{ owner_id: string }>(
    `wishlist_index_customers_${sort}_${direction}`,
    `SELECT DISTINCT w.owner_id
       FROM (${selectionSql({ sort, direction })}) AS s
       JOIN wishlist w ON w.shop_id = $1::bigint AND w.id = s.wishlist_id AND w.deleted_at IS NULL AND w.owner_kind = 'customer'`,
  ),
);

/** Returns the customers of selected lists by id, each once. Guests are none. */
export async function customersOfSelection(shopId: number, selection: ListSelection): Promise<string[]> {
  const rows = await run(statementOf(selection.query), selectionValues(shopId, selection));
  return rows.map(({ owner_id }) => owner_id);
}
