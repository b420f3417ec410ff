import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { revokeKey } from "../../app/access/index.server.ts";
import { dashboard, recordPeriodStats } from "../../app/analytics/index.server.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { provideEnv } from "../../app/platform/process/env.server.ts";
import { findShop } from "../../app/shops/index.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { seedDemoShop, type DemoShop } from "../../prisma/seed.ts";
import { DEMO_FILE, demoAccess, writeDemoFile, type DemoFile } from "../../server/dev/demo-access.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { serviceEnv } from "../support/app/service.ts";

let database: TestDatabase;
let dataDir: string;
let demo: DemoShop;

beforeAll(async () => {
  database = await createDatabase();
  provideEnv(serviceEnv(database.url));
  dataDir = await mkdtemp(join(tmpdir(), "wishlist-demo-"));
  demo = await seedDemoShop(database.url, () => undefined);
});
afterAll(async () => {
  await closeDatabase();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

test("the demo shop has the period statistics that the nightly job would have stored", async () => {
  const shop = await findShop(demo.domain);
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

describe("the demo's keys", () => {
  const file = (): string => join(dataDir, DEMO_FILE);
  const save = (content: object): Promise<void> => writeFile(file(), JSON.stringify(content));

  test("stay as long as they work", async () => {
    const first = await demoAccess(dataDir, demo.domain);
    await save(first);
    expect(await demoAccess(dataDir, demo.domain)).toEqual(first);
  });

  test("are replaced when they were revoked", async () => {
    const first = await demoAccess(dataDir, demo.domain);
    await save(first);
    const shop = await findShop(demo.domain);
    if (!shop) throw new Error("no shop");
    for (const key of [first.apiKey, first.publishableKey]) {
      await transaction(shop.id, (tx) => revokeKey(tx, shop.id, key));
    }
    const second = await demoAccess(dataDir, demo.domain);
    expect(second.apiKey).not.toBe(first.apiKey);
    expect(second.publishableKey).not.toBe(first.publishableKey);
    await save(second);
    expect(await demoAccess(dataDir, demo.domain)).toEqual(second);
  });

  test("are replaced when the file is damaged", async () => {
    await writeFile(file(), '{ "apiUrl": "http');
    const made = await demoAccess(dataDir, demo.domain);
    await save(made);
    expect(await demoAccess(dataDir, demo.domain)).toEqual(made);
  });

  test("are readable by the owner only, also when the file was readable by others", async () => {
    await save({});
    await chmod(file(), 0o644);
    const access = await demoAccess(dataDir, demo.domain);
    const content: DemoFile = {
      ...access,
      ...demo,
      shop: demo.domain,
      apiUrl: "http://127.0.0.1:1",
      adminUrl: "http://127.0.0.1:2",
      storefrontUrl: "http://127.0.0.1:2",
      logins: [],
      storefront: {
        shop: demo.domain,
        url: "http://127.0.0.1:2",
        apiVersion: "2026-10",
        storefrontAccessToken: "token",
        customerAccount: { clientId: "client", redirectUris: [], logoutUris: [] },
      },
    };
    expect(await writeDemoFile(dataDir, content)).toBe(file());
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });
});
