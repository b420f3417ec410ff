import { expect, test } from "vitest";
import { describeDowngrade } from "../../../app/admin/plan/downgrade.ts";
import type { PlanData } from "../../../app/admin/plan/plan-data.ts";

const CONSENTED = { price_dropped: 12, back_in_stock: 1, low_stock: 0, reminder_due: 0 };

const GROWTH: PlanData = {
  plan: "growth",
  billing: { tests: false, trialEndsAt: undefined, periodEndsAt: undefined, trialDaysLeft: 0, frozen: undefined },
  openLinks: 2,
  alerts: { kinds: ["price_dropped", "back_in_stock"], mode: "consent", consented: CONSENTED },
  approval: undefined,
  currency: null,
  offered: [],
};

/** Returns the lines under a title. */
function linesOf(lists: ReturnType<typeof describeDowngrade>, title: string): readonly string[] {
  return lists.find((list) => list.title === title)?.points ?? [];
}

test("a downgrade to Starter names the alerts that stop, and for how many customers", () => {
  const lists = describeDowngrade("starter", GROWTH);
  expect(linesOf(lists, "What stops")).toEqual([
    "Price drops: alerts to 12 customers",
    "Back in stock: alerts to 1 customer",
    "New named lists",
    "Priority support",
  ]);
  expect(linesOf(lists, "What stays")).toEqual(["Saved items and named lists", "Settings and results of alerts"]);
});

test("a downgrade to Free names the alerts and the share links", () => {
  const lists = describeDowngrade("free", {
    ...GROWTH,
    alerts: { kinds: ["low_stock"], mode: "merchant_managed", consented: CONSENTED },
  });
  expect(linesOf(lists, "What stops")).toContain("Low stock: alerts to all customers");
  expect(linesOf(lists, "What stops")).toContain("New share links, in your store and through the API");
  expect(linesOf(lists, "What stays")).toContain("Your 2 share links, until they expire");
});

test("a downgrade from Starter does not name what Starter lacks", () => {
  const lists = describeDowngrade("free", { ...GROWTH, plan: "starter", alerts: undefined, openLinks: 0 });
  expect(linesOf(lists, "What stops")).toEqual(["New share links, in your store and through the API"]);
  expect(linesOf(lists, "What stays")).toEqual(["Saved items"]);
});
