import { afterAll, beforeAll, expect, test } from "vitest";
import { dashboard, recordPeriodStats } from "../../app/analytics/index.server.ts";
import { closeDatabase } from "../../app/platform/database.server.ts";
import { provideEnv } from "../../app/platform/env.server.ts";
import { findShop } from "../../app/shops/index.server.ts";
import { seedDemoShop } from "../../prisma/seed.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { serviceEnv } from "../support/app/service.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  provideEnv(serviceEnv(database.url));
});
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

test("the demo shop has the period statistics that the nightly job would have stored", async () => {
  const { domain } = await seedDemoShop(database.url, () => undefined);
  const shop = await findShop(domain);
  if (!shop) throw new Error("no shop");
  const ofLastNight = () =>
    database.rows(
      `SELECT days, active_shoppers FROM period_stats p WHERE shop_id = $1
          AND day = (SELECT max(day) FROM period_stats WHERE shop_id = p.shop_id) ORDER BY days`,
      [shop.id],
    );
  const seeded = await ofLastNight();

  for (const period of [7, 30] as const) {
    const { activity } = await dashboard(shop, { period, compare: true }, 10);
    expect(activity?.before?.overview.activeShoppers).toBeGreaterThan(0);
  }
  await database.rows("DELETE FROM period_stats");
  await recordPeriodStats(shop.id);
  expect(seeded).toEqual(await ofLastNight());
  expect(seeded).toHaveLength(4);
});
