import { expect, test } from "vitest";
import { chartPoints } from "../../../app/admin/analytics/chart-points.ts";

function days(count: number, added: (index: number) => number) {
  return Array.from({ length: count }, (_, index) => ({
    date: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    itemsAdded: added(index),
    itemsRemoved: 2,
    uniqueShoppers: 3,
    addToCartFromWishlist: 1,
  }));
}

test.each([7, 30, 90])("a chart of %i days has a point for each", (count) => {
  const points = chartPoints(days(count, (index) => index));
  expect(points.map(({ itemsAdded }) => itemsAdded)).toEqual(Array.from({ length: count }, (_, index) => index));
  expect(points.map(({ uniqueShoppers }) => uniqueShoppers)).toEqual(Array.from({ length: count }, () => 3));
});

test("a year is shown by complete weeks that end today", () => {
  const year = days(365, (index) => index);
  const points = chartPoints(year);
  expect(points).toHaveLength(52);
  expect(points.at(-1)).toMatchObject({ first: year.at(-7)?.date, last: year.at(-1)?.date, itemsRemoved: 14 });
  expect(points[0]).toMatchObject({ first: year[0]?.date, last: year[7]?.date });
  for (const [index, point] of points.slice(1).entries()) {
    const before = year.findIndex(({ date }) => date === points[index]?.last);
    expect(point.first).toBe(year[before + 1]?.date);
  }
  const total = (of: readonly { itemsAdded?: number }[]) => of.reduce((sum, { itemsAdded = 0 }) => sum + itemsAdded, 0);
  expect(total(points)).toBe(total(year));
  // Shoppers who are active on several days of a week must be counted once.
  expect(points.every(({ uniqueShoppers }) => uniqueShoppers === undefined)).toBe(true);
});

test("the previous period is aligned with the days that it is compared with", () => {
  const both = days(60, (index) => index);
  const points = chartPoints(both.slice(30), both.slice(0, 30));
  expect(points.map(({ previous }) => previous?.itemsAdded)).toEqual(Array.from({ length: 30 }, (_, index) => index));
  const year = days(730, () => 1);
  const weeks = chartPoints(year.slice(365), year.slice(0, 365));
  expect(weeks.map(({ previous }) => previous?.itemsAdded)).toEqual(weeks.map(({ itemsAdded }) => itemsAdded));
});

test("amounts of money add up to the cent", () => {
  const revenue = ["0.10", "0.20", "19.99"];
  const week = Array.from({ length: 91 }, (_, index) => ({
    date: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    ...{ orders: 1, savedOrders: 1, units: 2, revenue: revenue[index - 88] ?? "0.00" },
  }));
  expect(chartPoints(week).at(-1)).toMatchObject({ revenue: 20.29, savedOrders: 7, units: 14 });
});
