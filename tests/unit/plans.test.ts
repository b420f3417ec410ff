import { describe, expect, test } from "vitest";
import { bestSubscription, hasFeature, missingPlan, planSchema } from "../../app/billing/plans.ts";

const charge = (name: string, status = "ACTIVE", test = false) => ({ name, status, test });

describe("the plan of a shop", () => {
  test("is the highest active one, in whatever order Shopify lists them", () => {
    const charges = [charge("Starter"), charge("Growth"), charge("Starter")];
    expect(bestSubscription(charges, false)?.plan).toBe("growth");
    expect(bestSubscription(charges.toReversed(), false)?.plan).toBe("growth");
  });

  test.each(["PENDING", "DECLINED", "EXPIRED", "FROZEN", "CANCELLED"])(
    "is not changed by a charge that is %s",
    (status) => {
      expect(bestSubscription([charge("Growth", status)], true)).toBeUndefined();
    },
  );

  test("ignores test charges unless only those are possible", () => {
    expect(bestSubscription([charge("Growth", "ACTIVE", true)], false)).toBeUndefined();
    expect(bestSubscription([charge("Growth", "ACTIVE", true)], true)?.plan).toBe("growth");
    expect(bestSubscription([charge("Growth", "ACTIVE", true), charge("Starter")], false)?.plan).toBe("starter");
  });

  test.each(["growth", "Enterprise", "__proto__", ""])("ignores a charge named %j", (name) => {
    expect(bestSubscription([charge(name)], true)).toBeUndefined();
  });
});

test("sharing is included from the Starter plan on", () => {
  expect(planSchema.options.map((plan) => hasFeature(plan, "sharing"))).toEqual([false, true, true]);
});

test("a missing plan is the frozen one if that includes the feature, else the lowest that does", () => {
  expect(missingPlan("free", "growth", "lists")).toEqual({ name: "Growth", isFrozen: true });
  expect(missingPlan("free", "growth", "sharing")).toEqual({ name: "Growth", isFrozen: true });
  expect(missingPlan("free", "starter", "lists")).toEqual({ name: "Growth", isFrozen: false });
  expect(missingPlan("free", undefined, "sharing")).toEqual({ name: "Starter", isFrozen: false });
  expect(missingPlan("starter", undefined, "sharing")).toBeUndefined();
});
