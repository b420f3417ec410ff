/** The order of the newest alerts `a` of a kind and status first. */
export const NEWEST_FIRST = "a.kind DESC, a.status DESC, a.id DESC";

/**
 * Returns a query of the newest alerts `a` of the shop $1, of the kind `k.kind`, and of a status, since $3: the ids contain the time of creation, and are
 * the last column of the index `alert_outcome`. Rows are compared and ordered by all of its columns, because with equal kind and status the primary key
 * has the same order: it would be read to its end for each kind that has few alerts.
 * @param status an SQL expression
 * @param limit an SQL expression
 */
export function newestAlerts(status: string, columns: string, limit: string): string {
  return `SELECT ${columns} FROM alert a
    WHERE a.shop_id = $1 AND (a.kind, a.status, a.id) >= (k.kind, ${status}, uuid_v7_min($3))
      AND (a.kind, a.status, a.id) <= (k.kind, ${status}, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    ORDER BY ${NEWEST_FIRST} LIMIT ${limit}`;
}
