import { describe, expect, test } from "vitest";
import { generateShop } from "../../../prisma/seed/generate.ts";
import type { SeedShop } from "../../../prisma/seed/generate.ts";
import { addsByDay, itemKey, replay } from "./replay.ts";

const DAY = 24 * 3_600_000;
const NOW = new Date("2026-07-15T18:30:00.000Z");

/** Critical times, such as clock changes, and other seeds. */
const CASES: { name: string; now: Date; seed?: number }[] = [
  { name: "a summer evening", now: NOW },
  { name: "both sides of the clocks going forward", now: new Date("2026-04-20T09:15:00.000Z") },
  { name: "both sides of the clocks going back", now: new Date("2026-11-20T22:59:59.999Z") },
  { name: "midnight in the shop", now: new Date("2026-07-14T22:00:00.000Z") },
  { name: "just after midnight, New Year", now: new Date("2025-12-31T23:00:00.001Z") },
  { name: "seed 1", now: NOW, seed: 1 },
  { name: "seed 99", now: NOW, seed: 99 },
];

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}

function descending(numbers: Iterable<number>): number[] {
  return [...numbers].sort((left, right) => right - left);
}

/** Returns the number of saved items per product at the end, highest first. */
function savedByProduct(shop: SeedShop): number[] {
  const counts = new Map(shop.products.map(({ productId }) => [productId, 0]));
  for (const items of replay(shop).saved.values()) {
    for (const item of items) {
      const productId = item.split("/")[0] ?? "";
      counts.set(productId, (counts.get(productId) ?? 0) + 1);
    }
  }
  return descending(counts.values());
}

describe("the generated shop", () => {
  const shop = generateShop(NOW);

  test("is the same to the byte for the same time and seed", () => {
    expect(JSON.stringify(generateShop(new Date(NOW)))).toBe(JSON.stringify(shop));
    expect(JSON.stringify(generateShop(NOW, { seed: 5 }))).toBe(JSON.stringify(generateShop(NOW, { seed: 5 })));
  });

  test("has another history for another seed", () => {
    expect(generateShop(NOW, { seed: 5 }).history).not.toEqual(shop.history);
  });

  test("has a later history and the same products and customers at a later time", () => {
    const later = generateShop(new Date(NOW.getTime() + 45 * DAY));
    expect(later.products).toEqual(shop.products);
    expect(later.customers).toEqual(shop.customers);
    expect(later.history).not.toEqual(shop.history);
  });

  test("has the same products and customer ids for another seed", () => {
    const other = generateShop(NOW, { seed: 5 });
    expect(other.products).toEqual(shop.products);
    expect(other.customers.map(({ customerId }) => customerId)).toEqual(
      shop.customers.map(({ customerId }) => customerId),
    );
  });

  test("keeps its published ids", () => {
    const tent = shop.products.find(({ handle }) => handle === "hollowbrook-2-trekking-tent");
    expect(tent?.productId).toBe("8402095167416");
    expect(tent?.variants.map(({ variantId }) => variantId)).toEqual([
      "44000287612134",
      "44001525933266",
      "44001258734348",
    ]);
    expect(shop.customers[0]?.customerId).toBe("6901742089343");
  });

  test("is refused for an invalid date", () => {
    expect(() => generateShop(new Date("yesterday"))).toThrow(RangeError);
  });
});

describe.each(CASES)("the generated history: $name", ({ now, seed }) => {
  const shop = generateShop(now, seed === undefined ? {} : { seed });
  const { saved, impossible } = replay(shop);
  const sizes = descending([...saved.values()].map((items) => items.size));
  const days = addsByDay(shop);

  test("has 500 customers with unique ids, names and addresses", () => {
    expect(shop.customers).toHaveLength(500);
    expect(new Set(shop.customers.map(({ customerId }) => customerId)).size).toBe(500);
    expect(new Set(shop.customers.map(({ firstName, lastName }) => `${firstName} ${lastName}`)).size).toBe(500);
    expect(new Set(shop.customers.map(({ email }) => email)).size).toBe(500);
    expect(new Set(shop.customers.map(({ firstName }) => firstName)).size).toBeGreaterThan(100);
    for (const { customerId, email } of shop.customers) {
      expect(customerId).toMatch(/^[1-9]\d{12}$/);
      expect(email).toMatch(/^[a-z]+\.[a-z]+@example\.com$/);
    }
  });

  test("covers the last 90 calendar days and 90 x 24 hours, in order", () => {
    const instants = shop.history.flatMap((event) => [
      event.at,
      ...(event.kind === "merge" ? event.items.map(({ addedAt }) => addedAt) : []),
    ]);
    const earliest = now.getTime() - 90 * DAY;
    expect(instants.filter((at) => at.getTime() < earliest || at > now)).toEqual([]);
    expect(days.size).toBeLessThanOrEqual(90);
    expect(days.size).toBeGreaterThanOrEqual(88);
    const times = shop.history.map(({ at }) => at.getTime());
    expect(times).toEqual([...times].sort((left, right) => left - right));
    expect(new Set(shop.history.map(({ customerId, at }) => `${customerId} ${at.getTime()}`)).size).toBe(
      shop.history.length,
    );
  });

  test("has only events that were possible at their time", () => {
    expect(impossible).toEqual([]);
  });

  test("has about 6,000 adds, several thousand of them still saved", () => {
    const adds = sum(days.values());
    expect(adds).toBeGreaterThan(5_600);
    expect(adds).toBeLessThan(6_600);
    const stillSaved = sum(sizes);
    expect(stillSaved).toBeGreaterThan(3_500);
    expect(stillSaved).toBeLessThan(5_500);
  });

  test("has enough events of every kind", () => {
    const count = (kind: string): number => shop.history.filter((event) => event.kind === kind).length;
    expect(count("add")).toBeGreaterThan(4_000);
    expect(count("remove")).toBeGreaterThan(1_000);
    expect(count("merge")).toBeGreaterThan(80);
    expect(count("share")).toBeGreaterThan(40);
    expect(count("cart")).toBeGreaterThan(500);
  });

  test("has few customers with long lists and some with none", () => {
    expect(sizes[0]).toBeGreaterThan(200);
    expect(sizes[1]).toBeLessThanOrEqual(200);
    const large = sizes.filter((size) => size > 60).length;
    expect(large).toBeGreaterThanOrEqual(4);
    expect(large).toBeLessThanOrEqual(15);
    expect(sizes.filter((size) => size >= 1 && size <= 5).length).toBeGreaterThan(150);
    expect(500 - new Set(shop.history.map(({ customerId }) => customerId)).size).toBeGreaterThan(20);
    expect(sizes.filter((size) => size === 0).length).toBeLessThan(100);
  });

  test("has few popular products and some that were never saved", () => {
    const counts = savedByProduct(shop);
    const all = sum(counts);
    expect(sum(counts.slice(0, 10)) / all).toBeGreaterThan(0.33);
    expect(sum(counts.slice(counts.length / 2)) / all).toBeLessThan(0.2);
    const everSaved = new Set(
      shop.history.flatMap((event) => {
        if (event.kind === "add") return [event.productId];
        return event.kind === "merge" ? event.items.map(({ productId }) => productId) : [];
      }),
    );
    const neverSaved = shop.products.filter(({ productId }) => !everSaved.has(productId)).length;
    expect(neverSaved).toBeGreaterThanOrEqual(3);
    expect(neverSaved).toBeLessThanOrEqual(12);
  });

  test("has popular sizes saved more often", () => {
    const count = (wanted: RegExp): number => {
      const keys = new Set(
        shop.products.flatMap(({ productId, variants }) =>
          variants.filter(({ title }) => wanted.test(title)).map(({ variantId }) => itemKey({ productId, variantId })),
        ),
      );
      return sum([...saved.values()].map((items) => [...items].filter((item) => keys.has(item)).length));
    };
    expect(count(/^M( \/|$)/)).toBeGreaterThan(1.2 * count(/^S( \/|$)/));
    expect(count(/^M( \/|$)/)).toBeGreaterThan(3 * count(/^X[SL]( \/|$)/));
    expect(count(/^EU 39$/)).toBeGreaterThan(2 * count(/^EU 36$/));
  });

  test("has some popular variants out of stock", () => {
    const unavailable = shop.products.flatMap(({ productId, variants }) =>
      variants.filter(({ available }) => !available).map(({ variantId }) => itemKey({ productId, variantId })),
    );
    const waiting = unavailable.map((key) => [...saved.values()].filter((items) => items.has(key)).length);
    expect(waiting.filter((people) => people >= 20).length).toBeGreaterThanOrEqual(5);
  });

  test("is busiest on weekends and evenings of the shop's time zone", () => {
    const weekday = (day: string): number => new Date(`${day}T12:00:00Z`).getUTCDay();
    const average = (wanted: (weekday: number) => boolean): number => {
      const counts = [...days].filter(([day]) => wanted(weekday(day))).map(([, count]) => count);
      return sum(counts) / counts.length;
    };
    const weekend = average((day) => day === 0 || day === 6);
    expect(weekend).toBeGreaterThan(1.3 * average((day) => day >= 1 && day <= 5));

    const clock = new Intl.DateTimeFormat("en-GB", { timeZone: shop.timeZone, hour: "2-digit", hourCycle: "h23" });
    const hours = shop.history.map(({ at }) => Number(clock.format(at)));
    const between = (from: number, to: number): number =>
      hours.filter((hour) => hour >= from && hour < to).length / hours.length;
    expect(between(18, 23)).toBeGreaterThan(0.35);
    expect(between(1, 6)).toBeLessThan(0.04);
  });

  test("grows slowly, with one visible campaign", () => {
    const calendar = new Intl.DateTimeFormat("sv-SE", { timeZone: shop.timeZone, dateStyle: "short" });
    // Noon, so that a clock change on the way back does not lead to another day.
    const noon = new Date(`${calendar.format(now)}T12:00:00Z`).getTime();
    const counts = Array.from(
      { length: 90 },
      (_, daysAgo) => days.get(new Date(noon - daysAgo * DAY).toISOString().slice(0, 10)) ?? 0,
    );
    // Only complete weeks count, up to yesterday.
    const rise = sum(counts.slice(1, 29)) / sum(counts.slice(62, 90));
    expect(rise).toBeGreaterThan(1.02);
    expect(rise).toBeLessThan(1.7);

    const campaign = counts.slice(36, 39);
    const usual = [...counts.slice(0, 36), ...counts.slice(39)];
    expect(sum(campaign) / 3).toBeGreaterThan(2 * (sum(usual) / usual.length));
    expect(Math.max(...campaign)).toBeGreaterThan(1.2 * Math.max(...usual));
  });
});
