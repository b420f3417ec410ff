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

test("a downgrade to Starter names the alerts that stop, and for how many customers", () => {
  const text = describeDowngrade("starter", GROWTH);
  expect(text).toContain("Price drops (12 customers), Back in stock (1 customer).");
  expect(text).toContain("can't create new ones");
  expect(text).not.toContain("share links");
});

test("a downgrade to Free names the alerts and the share links", () => {
  const text = describeDowngrade("free", {
    ...GROWTH,
    alerts: { kinds: ["low_stock"], mode: "merchant_managed", consented: CONSENTED },
  });
  expect(text).toContain("Alerts stop for all customers: Low stock.");
  expect(text).toContain("Your 2 share links keep working until they expire.");
});

test("a downgrade from Starter does not name what Starter lacks", () => {
  expect(describeDowngrade("free", { ...GROWTH, plan: "starter", alerts: undefined })).not.toMatch(
    /[Aa]lerts|named lists/,
  );
});
