import { randomBytes } from "node:crypto";
import type { PoolClient } from "pg";
import { expect } from "vitest";
import { z } from "zod";
import { daily, recordPeriodStats, overview, productStats, topProducts } from "../../../app/analytics/index.server.ts";
import { readOverview } from "../../../app/analytics/reports.server.ts";
import { holdClock } from "../../../app/platform/clock.server.ts";
import { createShop } from "../../../app/shops/index.server.ts";
import { EVENTS } from "../../../app/webhooks/events/events.ts";
import { payload, type StoredEvent } from "../../../app/webhooks/events/payload.server.ts";
import { perform } from "./analytics-changes.ts";
import * as model from "./analytics-model.ts";
import { wrongRollups } from "../app/audit.ts";
import type { TestDatabase } from "../database/database.ts";

/** The start of every history. */
export const START = Date.UTC(2026, 9, 14, 5, 30);
/** Lengths of the periods whose statistics are stored nightly. */
const PERIODS = [7, 30, 90, 365];

/** A step of a history, without its time. */
export type Happening =
  | {
      what: "act";
      act: model.Act;
      /** minutes by which the change is dated back */
      late: number;
      /** keeps the transaction open until its wishlist is needed or a later step commits it */
      held: boolean;
    }
  | { what: "commit" }
  | { what: "process"; limit: number; times: number; undone: boolean }
  | { what: "move"; zone: string }
  | { what: "night" }
  | { what: "look"; days: number };

/** One step of a history. The clock advances by `ahead` minutes before it. */
export type Step = { shop: number; ahead: number } & Happening;

interface Shop {
  id: number;
  zone: string;
  wishlists: model.Wishlists;
  /** the committed events */
  log: model.Event[];
  held: { client: PoolClient; owners: string[]; events: model.Event[] }[];
  /** the expected rows of `recordPeriodStats`, as `day days activeShoppers` */
  kept: string[];
}

/** Returns the owners whose existing wishlists a change locks. */
function ownersOf(act: model.Act, wishlists: model.Wishlists): string[] {
  switch (act.act) {
    case "login":
      return [`guest ${act.guest}`, `customer ${act.customer}`];
    case "forget":
      return [`guest ${act.guest}`];
    case "purge":
      return wishlists.guests();
    default:
      return [model.keyOf(act.owner)];
  }
}

const bodyShape = z.object({
  event: z.string(),
  timestamp: z.iso.datetime(),
  data: z.looseObject({
    customerId: z.string(),
    listId: z.string(),
    previousListId: z.string().optional(),
    shareUrl: z.string().optional(),
    expiresAt: z.string().optional(),
  }),
});

/** Returns a webhook event as a line of text, with its data in alphabetical order. */
function webhookLine({ event, at, owner, list, data }: model.Webhook): string {
  const fields = Object.entries(data).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [at.toISOString(), event, owner, list, ...fields.sort()].join(" ");
}

/** Runs histories of some shops in the database and in the model, and compares. */
export class History {
  #at = START;
  readonly #database: TestDatabase;
  readonly #shops: Shop[] = [];
  #looks = 0;

  private constructor(database: TestDatabase) {
    this.#database = database;
  }

  /** @param zones time zones; one new shop is created for each */
  static async begin(database: TestDatabase, zones: readonly string[]): Promise<History> {
    const history = new History(database);
    for (const zone of zones) {
      const domain = `shop-${randomBytes(5).toString("hex")}.myshopify.com`;
      const made = await createShop({ domain, plan: "starter", timeZone: zone });
      if (!made) throw new Error("the shop exists already");
      // The links do not expire, because a new link would be another event.
      await database.rows("UPDATE shop SET share_link_days = 365, item_cap = $2 WHERE id = $1", [
        made.id,
        model.MAX_ITEMS,
      ]);
      await database.rows(
        `INSERT INTO webhook_endpoint (shop_id, id, url, events, secret_sealed, created_at)
         VALUES ($1, $2, 'https://hooks.example.com/', $3, 'sealed', now())`,
        [made.id, `whk_${domain}`, EVENTS],
      );
      history.#shops.push({ id: made.id, zone, wishlists: new model.Wishlists(), log: [], held: [], kept: [] });
    }
    return history;
  }

  /** Runs the steps and compares database and model at the end. */
  async run(steps: readonly Step[]): Promise<void> {
    try {
      for (const step of steps) await this.#take(step);
      for (const shop of this.#shops) await this.#commit(shop, shop.held.length);
      for (const days of [1, 30, 365]) for (const shop of this.#shops) await this.#compare(shop, days);
      for (const shop of this.#shops) {
        await this.#checkPastPeriods(shop);
        await this.#checkRollups(shop);
        await this.#checkLists(shop);
        await this.#checkWebhooks(shop);
      }
    } finally {
      holdClock(undefined);
      for (const { client } of this.#shops.flatMap(({ held }) => held)) client.release(true);
      await this.#database.rows("UPDATE shop SET uninstalled_at = now() WHERE id = ANY ($1)", [
        this.#shops.map(({ id }) => id),
      ]);
    }
  }

  /** The first shop's reports at the last comparison. */
  reports(days: 1 | 30 | 365): model.Reports {
    return this.#reports(this.#shop(0), days);
  }

  /** The first shop's. */
  get id(): number {
    return this.#shop(0).id;
  }

  /** The stored period statistics of the first shop, as `day days activeShoppers`. */
  get kept(): string[] {
    return this.#shop(0).kept;
  }

  #shop(index: number): Shop {
    const shop = this.#shops[index];
    if (!shop) throw new Error("no such shop");
    return shop;
  }

  async #take(step: Step): Promise<void> {
    const shop = this.#shop(step.shop);
    this.#at += step.ahead * 60_000;
    holdClock(new Date(this.#at));
    switch (step.what) {
      case "act":
        return this.#act(shop, step.act, new Date(this.#at - step.late * 60_000), step.held);
      case "commit":
        return this.#commit(shop, 1);
      case "process":
        return this.#process(shop, step);
      case "move":
        await this.#database.rows("UPDATE shop SET time_zone = $2 WHERE id = $1", [shop.id, step.zone]);
        shop.zone = step.zone;
        return;
      case "night":
        return this.#night();
      case "look":
        return this.#compare(shop, step.days);
    }
  }

  async #act(shop: Shop, act: model.Act, at: Date, held: boolean): Promise<void> {
    const owners = ownersOf(act, shop.wishlists);
    // An open transaction that holds the wishlist's lock must commit first.
    const last = shop.held.findLastIndex((one) => one.owners.some((owner) => owners.includes(owner)));
    await this.#commit(shop, Math.max(last + 1, shop.held.length - 1));

    const client = await this.#database.pool.connect();
    const { events, refusal } = shop.wishlists.perform(act, at, model.localDay(at, shop.zone));
    shop.held.push({ client, owners, events });
    await client.query("BEGIN");
    expect(await perform(client, shop.id, act, at)).toBe(refusal);
    if (held) return;
    const own = shop.held.splice(-1);
    await this.#commitAll(shop, own);
  }

  async #commit(shop: Shop, count: number): Promise<void> {
    await this.#commitAll(shop, shop.held.splice(0, count));
  }

  async #commitAll(shop: Shop, transactions: Shop["held"]): Promise<void> {
    for (const { client, events } of transactions) {
      await client.query("COMMIT");
      client.release();
      shop.log.push(...events);
    }
  }

  async #process(
    { id }: Shop,
    { limit, times, undone }: { limit: number; times: number; undone: boolean },
  ): Promise<void> {
    const once = async (): Promise<void> => {
      const client = await this.#database.pool.connect();
      try {
        await client.query("BEGIN");
        await client.query("SELECT * FROM outbox_process($1, $2, true)", [id, limit]);
        await client.query(undone ? "ROLLBACK" : "COMMIT");
      } finally {
        client.release();
      }
    };
    await Promise.all(Array.from({ length: times }, once));
  }

  async #night(): Promise<void> {
    const known = await this.#database.rows<{ shop_id: number }>("SELECT DISTINCT shop_id FROM daily_stats");
    for (const { id } of this.#shops) await recordPeriodStats(id);
    for (const shop of this.#shops) {
      const yesterday = model.plusDays(model.localDay(new Date(this.#at), shop.zone), -1);
      const done = shop.kept.some((line) => line.startsWith(yesterday));
      if (done || !known.some(({ shop_id }) => shop_id === shop.id)) continue;
      shop.kept.push(
        ...PERIODS.map((days) => `${yesterday} ${days} ${model.activeShoppers(shop.log, yesterday, days)}`),
      );
    }
  }

  async #compare(shop: Shop, days: number): Promise<void> {
    const { id } = shop;
    const expected = this.#reports(shop, days);
    const products = [...expected.counts]
      .flatMap(([productId, wishlistCount]) => (productId.includes("/") ? [] : [{ productId, wishlistCount }]))
      .sort((a, b) => b.wishlistCount - a.wishlistCount || (a.productId < b.productId ? -1 : 1));
    const checks = [
      async () => expect(await overview(id, days)).toEqual(expected.overview),
      async () => expect(await daily(id, days)).toEqual({ days: expected.daily }),
      async () => expect(await topProducts(id, 2)).toEqual({ products: products.slice(0, 2) }),
      async () => expect(await productStats(id, "p0")).toEqual({ wishlistCount: expected.counts.get("p0") ?? 0 }),
    ];
    // The first report finds unprocessed activity. The order varies, because each report must process it.
    const first = this.#looks++ % checks.length;
    for (const check of [...checks.slice(first), ...checks.slice(0, first)]) await check();
    expect(await topProducts(id, 100)).toEqual({ products });
    expect(await productStats(id, "never-saved")).toEqual({ wishlistCount: 0 });
  }

  #reports({ log, zone }: Shop, days: number): model.Reports {
    return model.reports(log, new Date(this.#at), zone, days);
  }

  /** Checks the active shoppers of periods that ended before today. */
  async #checkPastPeriods(shop: Shop): Promise<void> {
    const today = this.#reports(shop, 1).daily.at(-1)?.date ?? "";
    for (const days of [1, 7, 30, 200]) {
      for (const ago of [1, 3, 20]) {
        const { activeShoppers } = await readOverview(shop.id, new Date(this.#at), { days, ago });
        expect(activeShoppers).toBe(model.activeShoppers(shop.log, model.plusDays(today, -ago), days));
      }
    }
  }

  /** Checks that the rollups equal the rows that they count, and that processing again changes nothing. */
  async #checkRollups({ id, log, kept }: Shop): Promise<void> {
    const all = async (): Promise<unknown> =>
      Promise.all(
        [
          "daily_stats",
          "activity_hourly",
          "product_daily",
          "product_stats",
          "variant_stats",
          "shopper",
          "shopper_day",
          "shopper_count",
        ].map((table) =>
          this.#database.rows(`SELECT t::text AS row FROM ${table} t WHERE shop_id = $1 ORDER BY 1`, [id]),
        ),
      );
    const before = await all();
    expect(await this.#database.rows("SELECT processed FROM outbox_process($1, 2000, true)", [id])).toEqual([
      { processed: 0 },
    ]);
    expect(await all()).toEqual(before);
    expect(await wrongRollups(this.#database.rows, id)).toEqual([]);

    const lines = async (sql: string): Promise<string[]> =>
      (await this.#database.rows<{ line: string }>(sql, [id])).map(({ line }) => line).sort();
    const variants = await lines(
      "SELECT product_id || '/' || variant_id || ' ' || wishlist_count AS line FROM variant_stats WHERE shop_id = $1 AND wishlist_count <> 0",
    );
    expect(variants).toEqual(
      await lines(
        "SELECT product_id || '/' || variant_id || ' ' || count(*) AS line FROM wishlist_item WHERE shop_id = $1 GROUP BY product_id, variant_id",
      ),
    );
    expect(
      await lines(
        "SELECT product_id || ' ' || wishlist_count AS line FROM product_stats WHERE shop_id = $1 AND wishlist_count <> 0",
      ),
    ).toEqual(
      await lines(
        "SELECT product_id || ' ' || count(*) AS line FROM wishlist_item WHERE shop_id = $1 GROUP BY product_id",
      ),
    );
    expect(
      await lines(
        "SELECT concat_ws(' ', product_id, to_char(day, 'YYYY-MM-DD'), items_added, items_removed, carted) AS line FROM product_daily WHERE shop_id = $1",
      ),
    ).toEqual(model.productDays(log));
    expect(
      await lines(
        "SELECT concat_ws(' ', to_char(day, 'YYYY-MM-DD'), days, active_shoppers) AS line FROM period_stats WHERE shop_id = $1",
      ),
    ).toEqual(kept.toSorted());
  }

  async #checkLists({ id, wishlists }: Shop): Promise<void> {
    const found = await this.#database.rows<{ line: string; item_count: number; items: number }>(
      `SELECT concat_ws(' | ', w.owner_kind || ' ' || w.owner_id, w.number, coalesce(w.name, '-'),
                        CASE WHEN w.deleted_at IS NULL THEN 'open' ELSE 'deleted' END, w.version, i.details) AS line,
              w.item_count, coalesce(i.items, 0) AS items
         FROM (SELECT *, row_number() OVER (PARTITION BY owner_kind, owner_id ORDER BY id) - 1 AS number
                 FROM wishlist WHERE shop_id = $1) AS w
         LEFT JOIN (SELECT k.wishlist_id, count(*) AS items, string_agg(k.details, ' | ' ORDER BY k.details COLLATE "C") AS details
                      FROM (SELECT wishlist_id, concat_ws(' ', product_id || '/' || variant_id, coalesce(quantity::text, '-'),
                                                          coalesce(position::text, '-')) AS details
                              FROM wishlist_item WHERE shop_id = $1) AS k
                     GROUP BY k.wishlist_id) AS i ON i.wishlist_id = w.id
        WHERE w.version > 0`,
      [id],
    );
    expect(found.map(({ line }) => line).sort()).toEqual(wishlists.lines().sort());
    expect(found.filter(({ item_count, items }) => item_count !== items)).toEqual([]);
  }

  async #checkWebhooks({ id, log }: Shop): Promise<void> {
    const lists = await this.#database.rows<{ handle: string; owner: string; number: number }>(
      `SELECT handle, owner_kind || ' ' || owner_id AS owner,
              (row_number() OVER (PARTITION BY owner_kind, owner_id ORDER BY id) - 1)::integer AS number
         FROM wishlist WHERE shop_id = $1`,
      [id],
    );
    const events = await this.#database.rows<StoredEvent>(
      `SELECT v.*, s.domain AS shop, s.store_path, l.token_sealed, l.expires_at
         FROM webhook_event v
         JOIN shop s ON s.id = v.shop_id
         LEFT JOIN share_link l ON l.shop_id = v.shop_id AND l.id = v.share_link_id
        WHERE v.shop_id = $1`,
      [id],
    );
    const lines = events.map((stored) => {
      const { event, timestamp, data } = bodyShape.parse(JSON.parse(payload(stored) ?? ""));
      const { customerId, listId, previousListId, shareUrl: _, expiresAt: __, ...more } = data;
      const owner = `customer ${customerId}`;
      const numberOf = (handle: string): number =>
        lists.find((list) => list.owner === owner && list.handle === handle)?.number ?? -1;
      const previous = previousListId === undefined ? {} : { previousList: numberOf(previousListId) };
      return webhookLine({
        ...{ event, at: new Date(timestamp), owner, list: numberOf(listId) },
        data: { ...more, ...previous },
      });
    });
    expect(lines.sort()).toEqual(model.webhooks(log).map(webhookLine).sort());
  }
}
