import { run, runOne, statement } from "../platform/database/database.server.ts";

const readStatement = statement<{ store_path: string }>("store_path", "SELECT store_path FROM shop WHERE id = $1");

/** Returns the path of the app proxy in a store, such as `/apps/wishlist`, as the store's last signed request had it. */
export async function readStorePath(shopId: number): Promise<string> {
  return (await runOne(readStatement, [shopId])).store_path;
}

const recordStatement = statement<Record<string, never>>(
  "store_path_record",
  "UPDATE shop SET store_path = $2 WHERE id = $1 AND store_path <> $2",
);

/** Records the path of the app proxy in a store, to which links in events lead. @param path from a signed request */
export async function recordStorePath(shopId: number, path: string): Promise<void> {
  await run(recordStatement, [shopId, path]);
}
