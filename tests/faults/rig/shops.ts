import { client, type Call } from "../../support/app/client.ts";
import { connectDatabase, type TestDatabase } from "../../support/database/database.ts";
import { makeShop, type TestShop } from "../../support/app/shop.ts";
import { subscribe } from "../../support/webhooks/webhooks.ts";
import type { Receiver, Receivers } from "./receivers.ts";

/** A shop under load, with a webhook. */
export interface Shop extends TestShop {
  name: string;
  receiver: Receiver;
}

/** Subscribes to all events of a shop. The API accepts public addresses only, so the row gets the receiver's address afterwards. */
export async function subscribeTo(
  url: string,
  shop: TestShop,
  { call, database }: { call: Call; database: TestDatabase },
): Promise<{ webhookId: string; secret: string }> {
  const subscription = await subscribe(call, shop, `https://receiver.example.com/${crypto.randomUUID()}`);
  await database.rows("UPDATE webhook_endpoint SET url = $3 WHERE shop_id = $1 AND id = $2", [
    shop.id,
    subscription.webhookId,
    url,
  ]);
  return subscription;
}

export function testDatabase(url: string): TestDatabase {
  const { close, ...database } = connectDatabase(url);
  return { ...database, drop: close };
}

/** Creates shops with a webhook each. */
export async function createShops(
  names: readonly string[],
  { webUrl, databaseUrl, receivers }: { webUrl: string; databaseUrl: string; receivers: Receivers },
): Promise<Shop[]> {
  const database = testDatabase(databaseUrl);
  const call = client(webUrl);
  const shops: Shop[] = [];
  for (const name of names) {
    const shop = await makeShop({ database }, call, { plan: "growth" });
    const receiver = receivers.open(name);
    const { secret } = await subscribeTo(receiver.url, shop, { call, database });
    receiver.setSecret(secret);
    shops.push({ ...shop, name, receiver });
  }
  await database.drop();
  return shops;
}
