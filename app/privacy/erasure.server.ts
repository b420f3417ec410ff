import { announceNumbers, processOutbox } from "../activity/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { prisma, run, runOne, shopStatement, statement } from "../platform/database/database.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { deleteInBatches } from "../platform/jobs/retention.server.ts";
import { eraseCustomerInAudit } from "../audit/index.server.ts";
import { deleteSessions } from "../shopify-sessions/index.server.ts";

const customerStatement = shopStatement<{ last_number: number | null }>(
  "customer_erase",
  "SELECT customer_erase(p_shop_id => $1, p_customer_id => $2, p_at => $3) AS last_number",
);

const pendingStatement = shopStatement<Record<string, never>>(
  "import_purge_customer",
  "SELECT import_purge_customer(p_shop_id => $1, p_customer_id => $2, p_at => $3)",
);

/** Erases a customer of a shop. Repeating it changes nothing. */
export async function eraseCustomer(shopId: number, customerId: string): Promise<void> {
  // Process most of the outbox in small transactions first, so that the erasing transaction is short.
  await processOutbox(shopId);
  // First, because unfinished imports would bring the customer back.
  await run(pendingStatement, [shopId, customerId, now()]);
  const { last_number } = await runOne(customerStatement, [shopId, customerId, now()]);
  if (last_number !== null) announceNumbers(shopId, last_number);
  // Last: changes by staff that were in progress have written their audit entries by now, and no further change can find the list.
  await transaction(shopId, (tx) => eraseCustomerInAudit(tx, shopId, customerId));
}

/**
 * The tables with rows of shops, referring tables first. Read from the catalogs, so that a new table is not missed. The outbox comes first,
 * because the outbox processor writes new rows from it.
 */
const tablesStatement = statement<{ name: string }>(
  "tables_of_shops",
  `SELECT c.relname AS name
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE a.attname = 'shop_id' AND c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
    ORDER BY c.relname <> 'activity', (SELECT count(*) FROM pg_constraint f WHERE f.confrelid = c.oid), c.relname`,
);

async function emptyTables(shopId: number): Promise<void> {
  const tables = await run(tablesStatement, []);
  let deleted: number;
  do {
    deleted = 0;
    for (const { name } of tables) {
      const purgeStatement = statement<{ gone: number }>(
        `erase_${name}`,
        `WITH gone AS (
           DELETE FROM ${name} WHERE shop_id = $1
              AND ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE shop_id = $1 LIMIT $2))
           RETURNING 1
         )
         SELECT count(*) AS gone FROM gone`,
      );
      deleted += await deleteInBatches(purgeStatement, [shopId]);
    }
  } while (deleted > 0);
}

/**
 * Detaches the domain and deletes the sessions in one transaction, so that a new installation creates another shop.
 * @returns false when the shop does not exist or has the app installed
 */
async function detachShop(shopId: number): Promise<boolean> {
  const shop = await prisma().shop.findUnique({ where: { id: shopId }, select: { domain: true } });
  if (!shop) return false;
  return transaction(shopId, async (tx) => {
    const { count } = await tx.shop.updateMany({
      where: { id: shopId, OR: [{ uninstalledAt: { not: null } }, { authorizedAt: null }] },
      data: { uninstalledAt: now(), domain: `erased-${shopId}.invalid` },
    });
    if (count > 0) await deleteSessions(tx, shop.domain);
    return count > 0;
  });
}

/** Erases a shop with all its data, unless it has the app installed. */
export async function eraseShop(shopId: number): Promise<void> {
  if (!(await detachShop(shopId))) return;
  await emptyTables(shopId);
  await prisma().shop.deleteMany({ where: { id: shopId } });
  // Deletes rows that other transactions wrote in the meantime.
  await emptyTables(shopId);
}
