import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { chartPoints } from "../../../app/admin/analytics/chart-points.ts";
import { CURRENT_COLOR, PREVIOUS_COLOR } from "../../../app/admin/analytics/chart-series.ts";

const POLARIS = readFileSync(createRequire(import.meta.url).resolve("@shopify/polaris/build/esm/styles.css"), "utf8");

/** A day after those of the tests. */
const TODAY = "2030-01-01";

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
  const points = chartPoints(
    days(count, (index) => index),
    TODAY,
  );
  expect(points.map(({ itemsAdded }) => itemsAdded)).toEqual(Array.from({ length: count }, (_, index) => index));
  expect(points.map(({ uniqueShoppers }) => uniqueShoppers)).toEqual(Array.from({ length: count }, () => 3));
});

test("a year is shown by complete weeks that end today", () => {
  const year = days(365, (index) => index);
  const points = chartPoints(year, TODAY);
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
  const points = chartPoints(both.slice(30), TODAY, { days: both.slice(0, 30), until: undefined });
  expect(points.map(({ previous }) => previous?.itemsAdded)).toEqual(Array.from({ length: 30 }, (_, index) => index));
  const year = days(730, () => 1);
  const weeks = chartPoints(year.slice(365), TODAY, { days: year.slice(0, 365), until: undefined });
  expect(weeks.map(({ previous }) => previous?.itemsAdded)).toEqual(weeks.map(({ itemsAdded }) => itemsAdded));
});

test("only the point with today is partial, and what it is compared with is cut at the same hour", () => {
  const both = days(60, () => 1);
  const before = { days: both.slice(0, 30), until: "15:00" };
  const points = chartPoints(both.slice(30), both.at(-1)?.date ?? "", before);
  expect(points.flatMap(({ isPartial, first }) => (isPartial ? [first] : []))).toEqual([both.at(-1)?.date]);
  expect(points.some(({ previous }) => previous?.isPartial)).toBe(false);
  const cut = points.flatMap(({ previous }) => (previous?.until === undefined ? [] : [previous]));
  expect(cut).toMatchObject([{ first: both[29]?.date, until: "15:00", uniqueShoppers: undefined }]);
});

test("no point of a period that is over is partial", () => {
  expect(
    chartPoints(
      days(30, () => 1),
      TODAY,
    ).some(({ isPartial }) => isPartial),
  ).toBe(false);
});

/** Returns the relative luminance of a color of Polaris (WCAG 2). */
function luminanceOf(name: string): number {
  const color = new RegExp(String.raw`${name}:\s*rgba\((\d+), (\d+), (\d+), 1\)`).exec(POLARIS);
  const [red = NaN, green = NaN, blue = NaN] = (color ?? []).slice(1).map((text) => {
    const value = Number(text) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test("the lines of both periods contrast with the card and with each other by 3 to 1", () => {
  const nameOf = (variable: string) => variable.slice("var(".length, -")".length);
  const colors = [CURRENT_COLOR, PREVIOUS_COLOR, "var(--p-color-bg-surface)"].map((color) =>
    luminanceOf(nameOf(color)),
  );
  const [lowest = NaN, middle = NaN, highest = NaN] = colors.toSorted((a, b) => a - b);
  expect((middle + 0.05) / (lowest + 0.05)).toBeGreaterThanOrEqual(3);
  expect((highest + 0.05) / (middle + 0.05)).toBeGreaterThanOrEqual(3);
});

test.each([
  [["0.10", "0.20", "19.99"], 20.29],
  [["0.101", "0.202", "19.999"], 20.302],
])("amounts of money %j add up exactly to %d", (revenue, total) => {
  const week = Array.from({ length: 91 }, (_, index) => ({
    date: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    ...{ orders: 1, savedOrders: 1, units: 2, revenue: revenue[index - 88] ?? "0.00" },
  }));
  expect(chartPoints(week, TODAY).at(-1)).toMatchObject({ revenue: total, savedOrders: 7, units: 14 });
});
