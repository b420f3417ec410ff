import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ConnectionBudget } from "../../../app/webhooks/delivery/connection-budget.ts";

const TOTAL = 1_024;
const ignore = (): void => undefined;

/** Takes all connections that the endpoint gets. */
function takeAll(budget: ConnectionBudget, shopId: number, endpointId: string): number {
  let taken = 0;
  while (budget.take({ shopId, endpointId }, ignore)) taken++;
  return taken;
}

describe("the connection budget", () => {
  test("gives a lone shop at most a quarter of all connections", () => {
    const budget = new ConnectionBudget(TOTAL);
    const taken = Array.from({ length: 20 }, (_, index) => takeAll(budget, 1, `e${index}`));
    const sum = taken.reduce((all, one) => all + one, 0);
    expect(sum).toBeGreaterThan(TOTAL / 16);
    expect(sum).toBeLessThanOrEqual(TOTAL / 4);
  });

  test("has a connection for a shop without any beside 200 other shops", () => {
    const budget = new ConnectionBudget(TOTAL);
    for (let shopId = 1; shopId <= 200; shopId++) takeAll(budget, shopId, "e");
    expect(budget.take({ shopId: 201, endpointId: "e" }, ignore)).toBe(true);
  });

  test("has a connection for an endpoint without any beside 19 busy ones of its shop", () => {
    const budget = new ConnectionBudget(TOTAL);
    for (let index = 0; index < 19; index++) takeAll(budget, 1, `e${index}`);
    expect(budget.take({ shopId: 1, endpointId: "other" }, ignore)).toBe(true);
  });

  test("serves the waiting endpoint of the shop with the fewest connections first", () => {
    const budget = new ConnectionBudget(4);
    const called: number[] = [];
    const claim = (shopId: number): boolean => {
      const claimant = { shopId, endpointId: "e" };
      return budget.take(claimant, () => {
        if (budget.take(claimant, ignore)) called.push(shopId);
      });
    };
    expect([1, 2, 3, 4].map(claim)).toEqual([true, true, true, true]);
    expect([1, 5, 6].map(claim)).toEqual([false, false, false]);
    budget.release({ shopId: 2, endpointId: "e" });
    expect(called).toEqual([5]);
    budget.release({ shopId: 3, endpointId: "e" });
    expect(called).toEqual([5, 6]);
  });

  test("removes an endpoint that no longer waits", () => {
    const budget = new ConnectionBudget(1);
    const [held, waiting] = [1, 2].map((shopId) => ({ shopId, endpointId: "e" }));
    if (!held || !waiting) throw new Error("two claimants");
    expect(budget.take(held, ignore)).toBe(true);
    expect(
      budget.take(waiting, () => {
        throw new Error("it was called");
      }),
    ).toBe(false);
    budget.withdraw(waiting);
    budget.release(held);
    expect(takeAll(budget, 3, "e")).toBe(1);
  });

  test("never exceeds the total, and recovers all returned connections", () => {
    const step = fc.record({ shopId: fc.integer({ min: 1, max: 8 }), endpoint: fc.nat(3), take: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const budget = new ConnectionBudget(32);
        const held: { shopId: number; endpointId: string }[] = [];
        for (const { shopId, endpoint, take } of steps) {
          const claimant = { shopId, endpointId: `e${endpoint}` };
          if (!take) {
            const given = held.pop();
            if (given) budget.release(given);
          } else if (budget.take(claimant, ignore)) held.push(claimant);
          expect(held.length).toBeLessThanOrEqual(32);
        }
        for (const claimant of held) budget.release(claimant);
        const fresh = new ConnectionBudget(32);
        expect(takeAll(budget, 9, "e")).toBe(takeAll(fresh, 9, "e"));
      }),
    );
  });
});
