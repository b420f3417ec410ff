import type { TestDatabase } from "./database.ts";

/** The table of guests who logged in, where the migration that makes it is not there yet. */
export async function provideFoldedGuests(database: TestDatabase): Promise<void> {
  await database.rows(
    `CREATE TABLE IF NOT EXISTS folded_guest (
       shop_id integer NOT NULL, guest_id text NOT NULL, customer_id text NOT NULL, folded_at timestamptz(3) NOT NULL,
       PRIMARY KEY (shop_id, guest_id))`,
  );
}
