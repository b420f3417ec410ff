import { describe, expect, test } from "vitest";
import { bestSubscription, hasFeature, planSchema } from "../../app/billing/plans.ts";

const charge = (name: string, status = "ACTIVE", test = false) => ({ name, status, test });

describe("the plan that a shop pays for", () => {
  test("is the best of those that are active, in whatever order Shopify lists them", () => {
    const charges = [charge("Starter"), charge("Growth"), charge("Starter")];
    expect(bestSubscription(charges, false)?.plan).toBe("growth");
    expect(bestSubscription(charges.toReversed(), false)?.plan).toBe("growth");
  });

  test.each(["PENDING", "DECLINED", "EXPIRED", "FROZEN", "CANCELLED"])("is none by a charge that is %s", (status) => {
    expect(bestSubscription([charge("Growth", status)], true)).toBeUndefined();
  });

  test("is none by a test charge, but where nothing else can be charged", () => {
    expect(bestSubscription([charge("Growth", "ACTIVE", true)], false)).toBeUndefined();
    expect(bestSubscription([charge("Growth", "ACTIVE", true)], true)?.plan).toBe("growth");
    expect(bestSubscription([charge("Growth", "ACTIVE", true), charge("Starter")], false)?.plan).toBe("starter");
  });

  test.each(["growth", "Enterprise", "__proto__", ""])("is none by a charge called %j", (name) => {
    expect(bestSubscription([charge(name)], true)).toBeUndefined();
  });
});

test("sharing begins with the Starter plan", () => {
  expect(planSchema.options.map((plan) => hasFeature(plan, "sharing"))).toEqual([false, true, true]);
});
