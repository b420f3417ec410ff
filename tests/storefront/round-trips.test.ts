import { expect, inject, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { client } from "../support/app/client.ts";
import { createDatabase } from "../support/database/database.ts";
import { makeShop } from "../support/app/shop.ts";
import { explainEverything, recordStatements } from "../support/database/statements.ts";
import { startApp } from "../support/app/in-process.ts";
import { addVariants, newGuest, SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";

// On Citus, the coordinator's log has the function's call, but no plan of it.
test.skipIf(inject("servers").length > 1)(
  "an add of a cached product and a read of a list are one statement each",
  async () => {
    const database = await createDatabase();
    await explainEverything(database);
    const service = await startApp({ database, env: SHOPIFY_ENV });
    const shop = await makeShop(service, client(service), { products: { "1": "11" } });
    await addVariants(service, shop, { "1": ["12"] });
    await database.rows("UPDATE product SET handle = 'boots' WHERE shop_id = $1", [shop.id]);
    const visit = visitor(service, { shop: shop.domain });
    async function statementsOf(path: string, json: object): Promise<string[]> {
      const executed = await recordStatements(database);
      (await visit("POST", path, { json })).data();
      const statements = (await executed()).filter(
        ({ direct, text, scans }) =>
          direct &&
          // The app's background work listens, and polls for changes of variants.
          ((text.includes("wishlist_") && !text.startsWith("LISTEN ")) ||
            scans.some(({ table }) => /product|variant|wishlist|guest/.test(table) && table !== "variant_change")),
      );
      return statements.map(({ text }) => text);
    }
    const guestId = newGuest();
    for (const item of [
      { productId: "1" },
      { handle: "boots" },
      { productId: "1", variantId: "12" },
      { handle: "boots", variantId: "12" },
    ]) {
      const added = await statementsOf("/api/add", { guestId: newGuest(), ...item });
      expect(added).toEqual([expect.stringContaining("wishlist_add_cached(")]);
    }
    await statementsOf("/api/add", { guestId, productId: "1" });
    expect(await statementsOf("/api/list", { guestId })).toEqual([expect.stringContaining("owner_item_count")]);
    await closeDatabase();
    await service.dispose();
  },
);
