import { z } from "zod";

export const planSchema = z.enum(["free", "starter", "growth"]);

export type Plan = z.infer<typeof planSchema>;

const RANK: Record<Plan, number> = { free: 0, starter: 1, growth: 2 };

/** Does a shop on `plan` have what `required` includes? */
export function includes(plan: Plan, required: Plan): boolean {
  return RANK[plan] >= RANK[required];
}

/** What a merchant subscribes to, by the name under which Shopify bills it. */
export const BILLED = { Starter: "starter", Growth: "growth" } as const satisfies Record<string, Plan>;

/** The best plan of a shop's subscriptions, as Shopify lists them. */
export function planOfSubscriptions(subscriptions: readonly { name: string; status: string }[]): Plan {
  const plans: Plan[] = subscriptions.flatMap(({ name, status }) =>
    status === "ACTIVE" ? Object.entries(BILLED).flatMap(([billed, plan]) => (billed === name ? [plan] : [])) : [],
  );
  return plans.toSorted((a, b) => RANK[b] - RANK[a])[0] ?? "free";
}
